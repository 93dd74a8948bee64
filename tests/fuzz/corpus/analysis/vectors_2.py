print(
    1,
    2,
)
x = [
    1,
    2,
]
y = {
    'a': 1,
    **{},
}
z = {**{
'a': 1}}
a = """
foo
"""
b = f"""
{a}
"""
def f(
    a,
    b="""x
""",
):
    return a
a = 1
if a:
    b = 3
else:
    b = 5
c = 6
def f(a):
    if a == 1:
        return 3
    elif a == 2:
        b = 5
    elif a == 3:
        raise ValueError
    else:
        return 9
    return b
def f(a):
    if a:
        b = 3
def f(): return 1
class C: pass
if f: a = 3
if f: a = 4
else: a = 5
for i in a: b = 6
while a: break
with f: c = 8
try: d = 9
except: e = 10
finally: g = 11
async def h(): await f
while True:
    a = 2
    if a:
        break
b = 5
while 1:
    c = 7
d = 8
def f(a):
    while a:
        if a:
            break
        continue
    else:
        b = 7
    return 8
