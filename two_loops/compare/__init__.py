"""Two runs held against each other, and against the SDK's bare runner.

playing.py    one question asked through one agent, and all of it that can be compared
watching.py   a toolset whose tools tell that they really ran
comparing.py  what may differ in two runs, what does, and where first
modes.py      the four ways to ask an agent, each with the stand-ins for a model that it takes
bare.py       the SDK's tool runner with nothing around it
files.py      questions and scripts read from files
records.py    a comparison as JSON
"""
