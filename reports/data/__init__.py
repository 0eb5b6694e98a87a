"""Run folders opened and checked, their rows as arrays and sums over blocks. No estimate and no test."""
