import qd

VEC = qd.types.ndarray(qd.i32, 1)
FLAG = qd.types.ndarray(qd.i32, 0)


@qd.kernel(graph=True)
def repeated(x: VEC, c: FLAG, d: FLAG):
    y = x[0]
    while qd.graph.do_while(c):
        d[()] = 2
        while qd.graph.do_while(d):
            for i in range(x.shape[0]):
                if x[i] > 2:
                    x[i] = 0
            d[()] -= 1
        with qd.graph.parallel_context():
            with qd.graph.parallel():
                for i in range(x.shape[0]):
                    x[i] += 1
            with qd.graph.parallel():
                y += 1
        if y > 2:
            x[0] = y
        c[()] -= 1
    x[1] = y


@qd.kernel
def blocks(x: VEC, n: qd.i32):
    with qd.stream_parallel():
        for i in range(n):
            x[i] = 1
        for i in range(n):
            if i > 1:
                continue
            x[i] = 2
    with qd.stream_parallel():
        for i in range(x.shape[0]):
            x[i] = 3


@qd.kernel(graph=True, checkpoints=True)
def stages(x: VEC, a: FLAG, b: FLAG, c: FLAG):
    total = 0
    for i in range(x.shape[0]):
        total += x[i]
    while qd.graph.do_while(c):
        with qd.checkpoint(1, yield_on=a):
            for i in range(x.shape[0]):
                x[i] += 1
        y = 1
        with qd.checkpoint(
            2,
            yield_on=b,
        ):
            for i in range(x.shape[0]):
                if x[i] > 100:
                    total += y
            for i in range(x.shape[0]):
                x[i] += 1
        for i in range(x.shape[0]):
            total += 1
        c[()] -= 1
    with qd.checkpoint(3):
        for i in range(x.shape[0]):
            x[i] = total


@qd.kernel(graph=True, checkpoints=True)
def yields(x: VEC, a: FLAG, b: FLAG):
    total = 0  # A
    for i in range(2):  # B
        total += i  # C
    with qd.checkpoint(1, yield_on=a):  # D
        for i in range(2):  # E
            x[0] += 1  # F
        for i in range(2):  # G
            x[1] += total  # H
    y = 1  # I
    with qd.checkpoint(2, yield_on=b):  # J
        for i in range(2):  # K
            x[2] += y  # L
    for i in range(2):  # M
        x[3] += 1  # N
    x[4] += 1  # O


@qd.kernel(graph=True, checkpoints=True)
def passes(x: VEC, c: FLAG, stop: FLAG):
    while qd.graph.do_while(c):  # A
        for i in range(2):  # B
            x[0] += 1  # C
        with qd.checkpoint(1, yield_on=stop):  # D
            for i in range(2):  # E
                x[1] += 1  # F
        for i in range(2):  # G
            x[2] += 1  # I
        c[()] -= 1  # H
