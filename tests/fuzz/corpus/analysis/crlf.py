a = 1
if a:
    b = 3
c = 4