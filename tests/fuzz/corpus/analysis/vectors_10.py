def f(): ...
def g():
    ...
async def h(a) -> int: ...
class P:
    def m(self,
          a: int) -> list[int]: ...
    def n(self): ...  # comment
x = ...
if x: ...
from typing import TYPE_CHECKING
import typing
if TYPE_CHECKING:
    import a
else:
    b = 6
if typing.TYPE_CHECKING:
    import c
if not TYPE_CHECKING:
    d = 10
if a:  # pragma: no branch
    b = 2
while a:  # pragma: no branch
    c = 4
for i in (
    a,  # pragma: no branch
):
    d = 8
if True:
    e = 10
if 1:
    f = 12
while 0:
    g = 14
x = 'if 1:'



a = 1
if a:
    b = 3
