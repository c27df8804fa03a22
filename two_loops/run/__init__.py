"""The guarded run: what stands around either loop."""
