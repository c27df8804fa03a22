"""Plain functions that a model may call, over a workspace: a folder of text files. Each can be used alone in a script.

list_files    the paths of the files (listing.py)
read_file     the text of one file (reading.py)
calculator    exact arithmetic (calculating.py)
save_note     appends one line to notes.txt (saving.py)
write_file    writes a new draft (drafting.py)

places.py     a path of the workspace opened name by name, so that nothing outside is reached
near.py       files with a name like one that does not exist
"""

from two_loops.tools.calculating import calculator
from two_loops.tools.drafting import write_file
from two_loops.tools.listing import FileList, list_files
from two_loops.tools.places import Written
from two_loops.tools.reading import FileText, read_file
from two_loops.tools.saving import save_note

__all__ = ["FileList", "FileText", "Written", "calculator", "list_files", "read_file", "save_note", "write_file"]
