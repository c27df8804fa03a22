"""The plain values that everything else passes around; they know nothing of loops, guards or the SDK."""
