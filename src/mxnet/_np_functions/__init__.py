"""Functions with NumPy's signatures, written once for arrays (`mx.np`) and graphs (`mx.sym.np`).

A function here gets as its first argument `F`, the operators of the frontend that calls it, as a
`hybrid_forward` does. It knows neither arrays nor symbols.
"""
