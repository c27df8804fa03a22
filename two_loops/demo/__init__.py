"""Three scripted runs, played through both agents and told step by step."""
