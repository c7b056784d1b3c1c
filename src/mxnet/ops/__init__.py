"""Every operator, declared once as a function on tensors.

Nothing here knows arrays or graphs; frontends derive their functions from the registry.
"""
