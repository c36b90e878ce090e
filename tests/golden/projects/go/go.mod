module a

go 1.19
