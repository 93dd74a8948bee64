f'a{b}c{{d}}{e!r}{f:g}{h!s:i{j}k}{l=}{m = !a:n}'

f"{a['b']}{c:>{d}.{e}}" 'f' f'' "g{h}" rf'\d{i}' fR"\{j}"

f'''{
a
}
{b:
c}
'''

f'{a,}{*b, c}{(yield)}{lambda_}{(lambda x: 1)}{ {1: 2}[1] }{a != b}{a:=5}'

f'{'nested'}{f'{f'{1}'}'}{"\n".join(a)}{a # comment
}'

f'\N{DASH}\x41\u0041{a}\{b}\\{c}'

f"{a:{b:{c}}}{d:%H:%M}{e!r:^{f}}"

t'a{b}{c!r:d}{e=}' t"{f}"

rt'\{a}' Tr"{b:{c}}"

x = (f'a'
     f'{b}'
     'c')

f'{a if b else c}{d or e}{f.g[h:i]}{j(k, l=m)}'
