"""The log when processes die, disks fill up and files move: real processes, real agents, real signals."""
