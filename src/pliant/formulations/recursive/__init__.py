"""Forward recursive construction in relative coordinates (Roberson/Wittenburg). Source: S4."""
