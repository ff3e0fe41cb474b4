"""Runs a command at a terminal of its own: at_terminal.py '[["what it asks", "what is typed"], …]' command …
Prints what the terminal showed, as JSON with the exit code."""
import json
import os
import pty
import select
import sys

answers = json.loads(sys.argv[1])
pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
shown = b""


def read(seconds):
    global shown
    if not select.select([terminal], [], [], seconds)[0]:
        return False
    try:
        more = os.read(terminal, 4096)
    except OSError:
        return False
    shown += more
    return more != b""


for question, answer in answers:
    while question.encode() not in shown and read(120):
        pass
    os.write(terminal, answer.encode())
while read(120):
    pass
_, status = os.waitpid(pid, 0)
print(json.dumps({"output": shown.decode(), "code": os.waitstatus_to_exitcode(status)}))
