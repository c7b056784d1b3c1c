"""What is known of a graph before it runs: shapes, element types, storage, costs."""
