if 1:
	a = 2

b = 4
