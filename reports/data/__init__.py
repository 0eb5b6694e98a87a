"""Open and check run folders; their rows as arrays and sums over blocks. No estimates and no tests."""
