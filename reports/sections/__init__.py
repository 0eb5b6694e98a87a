"""What a report says: sentences, tables and pictures made from statistics."""
