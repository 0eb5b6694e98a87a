"""Opens and checks run folders; returns their rows as arrays and sums over blocks. Makes no estimates or tests."""
