# options:
import qd

WORDS = "text"


@qd.kernel
def unsupported(n: qd.i32, x: qd.types.ndarray(qd.f32, 1)):
    try:
        a = 1
    except ValueError as e:
        b = e
    finally:
        c = 2
    with open("f") as f:
        d = f
    import os
    def inner():
        pass
    class C:
        pass
    raise ValueError
    del a
    global g
    lambda: 0
    [i for i in range(n)]
    {1: 2}
    {1}
    match n:
        case 1:
            z = 3
    z + a + d
    for i in range(n):
        yield i
    else:
        pass
    async def co(): pass
    x[0:2]
    x[0] = y = inner()
    await x
    n @ n
    x.sort()
    return 3


@qd.kernel
def returns(n: qd.i32) -> qd.i32:
    if n > 0:
        return 1


@qd.kernel
def jumps(n: qd.i32):
    for i in range(n):
        if i > 3:
            break
    for i in qd.static(range(3)):
        if n > 1:
            break
        if n > 2:
            continue
    for i in range(0, n, 2):
        undefined_inside += 1
    for i in "text":
        pass
    for i, j in range(n):
        k = i + j
    for i in 3:
        pass
    while n:
        pass
    else:
        pass


@qd.kernel
def no_annotation(a, b: qd.i32 = 3, *c, d: "qd.i3", e: "not an", f: WORDS, **g) -> WORDS:
    pass
# ---
# statements.py:9:5: KernelSyntaxError: Unsupported node "Try": `try` is not supported in kernels (in unsupported)
#         try:
#         ^^^
# statements.py:15:23: KernelSyntaxError: `with ... as` is not supported in kernels: their contexts have no value (in unsupported)
#         with open("f") as f:
#                           ^
# statements.py:17:5: KernelSyntaxError: Unsupported node "Import": `import` is not supported in kernels (in unsupported)
#         import os
#         ^^^^^^
# statements.py:18:5: KernelSyntaxError: Function definition is not allowed in 'qd.kernel' (in unsupported)
#         def inner():
#         ^^^
# statements.py:20:5: KernelSyntaxError: Unsupported node "ClassDef": `class` is not supported in kernels (in unsupported)
#         class C:
#         ^^^^^
# statements.py:22:5: KernelSyntaxError: Unsupported node "Raise": `raise` is not supported in kernels (in unsupported)
#         raise ValueError
#         ^^^^^
# statements.py:23:5: KernelSyntaxError: Unsupported node "Delete": `del` is not supported in kernels (in unsupported)
#         del a
#         ^^^
# statements.py:24:5: KernelSyntaxError: Unsupported node "Global": `global` is not supported in kernels (in unsupported)
#         global g
#         ^^^^^^
# statements.py:25:5: KernelSyntaxError: Unsupported node "Lambda": `lambda` is not supported in kernels (in unsupported)
#         lambda: 0
#         ^^^^^^^^^
# statements.py:26:23: KernelTypeError: `n` is known only at run time: values here must be compile-time constants (in unsupported)
#         [i for i in range(n)]
#                           ^
# statements.py:28:5: KernelSyntaxError: Unsupported node "Set": a set display is not supported in kernels (in unsupported)
#         {1}
#         ^^^
# statements.py:29:5: KernelSyntaxError: Unsupported node "Match": `match` is not supported in kernels (in unsupported)
#         match n:
#         ^^^^^
# statements.py:34:9: KernelSyntaxError: Unsupported node "Yield": `yield` is not supported in kernels (in unsupported)
#             yield i
#             ^^^^^^^
# statements.py:36:9: KernelSyntaxError: `else` of a loop is not supported in kernels (in unsupported)
#             pass
#             ^^^^
# statements.py:37:5: KernelSyntaxError: Unsupported node "AsyncFunctionDef": `async def` is not supported in kernels (in unsupported)
#         async def co(): pass
#         ^^^^^^^^^
# statements.py:40:5: KernelSyntaxError: Unsupported node "Await": `await` is not supported in kernels (in unsupported)
#         await x
#         ^^^^^^^
# statements.py:41:5: KernelTypeError: `@` does not work on an i32 and an i32 (in unsupported)
#         n @ n
#         ^^^^^
# statements.py:42:5: KernelTypeError: array `x` has no attribute `sort` in kernels (in unsupported)
#         x.sort()
#         ^^^^^^
# statements.py:43:5: KernelSyntaxError: a kernel with a return value must be annotated (-> dtype) (in unsupported)
#         return 3
#         ^^^^^^^^
# statements.py:49:9: KernelSyntaxError: Return inside non-static if/for is not supported in a kernel (in returns)
#             return 1
#             ^^^^^^^^
# statements.py:56:13: KernelSyntaxError: Cannot break in the outermost loop: it runs in parallel; qd.loop_config(serialize=True) makes it serial (in jumps)
#                 break
#                 ^^^^^
# statements.py:59:13: KernelSyntaxError: You are trying to `break` a static `for` loop under an `if` that is decided at run time (in jumps)
#                 break
#                 ^^^^^
# statements.py:61:13: KernelSyntaxError: You are trying to `continue` a static `for` loop under an `if` that is decided at run time (in jumps)
#                 continue
#                 ^^^^^^^^
# statements.py:62:26: KernelSyntaxError: Range should have 1 or 2 arguments, found 3: a step is not supported in kernels (in jumps)
#         for i in range(0, n, 2):
#                              ^
# statements.py:63:9: KernelNameError: `undefined_inside` is used before it is assigned (in jumps)
#             undefined_inside += 1
#             ^^^^^^^^^^^^^^^^
# statements.py:64:14: KernelSyntaxError: a `for` of a kernel iterates over range, ndrange, a field, an array, or qd.static(...), not over str (in jumps)
#         for i in "text":
#                  ^^^^^^
# statements.py:66:9: KernelSyntaxError: 2 loop variables for 1 axis (in jumps)
#         for i, j in range(n):
#             ^^^^
# statements.py:68:14: KernelSyntaxError: a `for` of a kernel iterates over range, ndrange, a field, an array, or qd.static(...), not over int (in jumps)
#         for i in 3:
#                  ^
# statements.py:73:9: KernelSyntaxError: `else` of a loop is not supported in kernels (in jumps)
#             pass
#             ^^^^
# statements.py:77:19: KernelSyntaxError: kernel parameter `a` needs an annotation (in no_annotation)
#     def no_annotation(a, b: qd.i32 = 3, *c, d: "qd.i3", e: "not an", f: WORDS, **g) -> WORDS:
#                       ^
# statements.py:77:34: KernelSyntaxError: default values are not supported for kernel parameters (in no_annotation)
#     def no_annotation(a, b: qd.i32 = 3, *c, d: "qd.i3", e: "not an", f: WORDS, **g) -> WORDS:
#                                      ^
# statements.py:77:38: KernelSyntaxError: `*c` is not supported in kernels (in no_annotation)
#     def no_annotation(a, b: qd.i32 = 3, *c, d: "qd.i3", e: "not an", f: WORDS, **g) -> WORDS:
#                                          ^
# statements.py:77:41: KernelSyntaxError: `d` is keyword-only, which is not supported in kernels (in no_annotation)
#     def no_annotation(a, b: qd.i32 = 3, *c, d: "qd.i3", e: "not an", f: WORDS, **g) -> WORDS:
#                                             ^^^^^^^^^^
# statements.py:77:53: KernelSyntaxError: `e` is keyword-only, which is not supported in kernels (in no_annotation)
#     def no_annotation(a, b: qd.i32 = 3, *c, d: "qd.i3", e: "not an", f: WORDS, **g) -> WORDS:
#                                                         ^^^^^^^^^^^
# statements.py:77:66: KernelSyntaxError: `f` is keyword-only, which is not supported in kernels (in no_annotation)
#     def no_annotation(a, b: qd.i32 = 3, *c, d: "qd.i3", e: "not an", f: WORDS, **g) -> WORDS:
#                                                                      ^^^^^^^^
# statements.py:77:78: KernelSyntaxError: `**g` is not supported in kernels (in no_annotation)
#     def no_annotation(a, b: qd.i32 = 3, *c, d: "qd.i3", e: "not an", f: WORDS, **g) -> WORDS:
#                                                                                  ^
# statements.py:77:84: KernelTypeError: str cannot be a result of a kernel (in no_annotation)
#     def no_annotation(a, b: qd.i32 = 3, *c, d: "qd.i3", e: "not an", f: WORDS, **g) -> WORDS:
#                                                                                        ^^^^^
