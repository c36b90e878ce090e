"""Generated projects for bench/ecosystems: of the size of a small real one, with nothing in them to be downloaded but
what the tools themselves are. Each has a file to change and one that nothing needs, which a candidate may delete."""
import os
import shutil


class Project:
    """`warm`: whether the base's build results are kept for candidates (docs/workspaces.md)."""

    def __init__(self, name, files, config, commands, change, needs, warm, prepare="", network=False):
        self.name, self.files, self.config, self.commands = name, files, config, commands
        self.change, self.needs, self.warm, self.prepare, self.network = change, needs, warm, prepare, network

    def missing(self, allow_network):
        """Why it can't be measured here; None if it can."""
        for need in self.needs:
            if not (os.path.exists(need) if need.startswith("/") else shutil.which(need)):
                return f"no {need} here"
        return "needs a package registry (--network)" if self.network and not allow_network else None


def _config(build, test, workspace):
    lines = ["[scoring]"]
    if build:
        lines.append(f'build_command = "{build}"')
    lines += [f'test_command = "{test}"', "[workspace]"] + workspace
    return "\n".join(lines) + "\n"


def venv_pytest():
    files = {".gitignore": ".venv/\n__pycache__/\n*.egg-info/\n",
             "setup.py": "from setuptools import setup\nsetup(name='shop', version='1.0', packages=['shop'], "
                         "package_dir={'': 'src'})\n",
             "src/shop/__init__.py": ""}
    for i in range(60):
        body = [f"def price{n}(count):\n    return sum(range(count)) + {n}\n" for n in range(40)]
        files[f"src/shop/part{i}.py"] = "\n\n".join(body)
        tests = [f"def test_price{n}():\n    assert part{i}.price{n}(3) == 3 + {n}\n" for n in range(10)]
        files[f"tests/test_part{i}.py"] = f"from shop import part{i}\n\n\n" + "\n\n".join(tests)
    setup = "/usr/bin/python3 -m venv --system-site-packages --without-pip .venv && .venv/bin/python setup.py -q develop --no-deps 2>&1"
    test = ".venv/bin/python -m pytest -q -p no:cacheprovider tests"
    return Project("venv + pytest", files,
                   _config(None, test, [f'setup = "{setup}"', 'outputs = [".venv", "src/shop.egg-info"]']),
                   (setup, None, test), "src/shop/part7.py:# a comment",
                   ("/usr/lib/python3/dist-packages/pytest", "/usr/lib/python3/dist-packages/setuptools"), False)


def npm_workspaces():
    names = [f"part{i}" for i in range(12)]
    lock = ['{"name": "shop", "lockfileVersion": 3, "requires": true, "packages": {',
            ' "": {"name": "shop", "workspaces": ["packages/*"]}']
    files = {".gitignore": "node_modules/\n",
             "package.json": '{"name": "shop", "private": true, "workspaces": ["packages/*"], "scripts": '
                             '{"test": "node --test packages/"}}\n'}
    for i, name in enumerate(names):
        lock.append(f', "node_modules/@shop/{name}": {{"resolved": "packages/{name}", "link": true}}')
        lock.append(f', "packages/{name}": {{"name": "@shop/{name}", "version": "1.0.0"}}')
        at = f"packages/{name}/"
        files[at + "package.json"] = f'{{"name": "@shop/{name}", "version": "1.0.0", "main": "index.js"}}\n'
        before = f"const before = require('@shop/part{i - 1}');\n" if i else "const before = {};\n"
        files[at + "index.js"] = before + "".join(f"exports.price{n} = (c) => c + {n};\n" for n in range(100))
        for t in range(3):
            files[at + f"test/part{t}.test.js"] = (
                "const test = require('node:test');\nconst assert = require('node:assert');\n"
                f"const shop = require('@shop/{name}');\n" +
                "".join(f"test('price {n}', () => assert.equal(shop.price{n}(1), 1 + {n}));\n" for n in range(20)))
    files["package-lock.json"] = "\n".join(lock) + "}}\n"
    return Project("npm workspaces + node:test", files,
                   _config(None, "npm test", ['setup = "npm ci"', 'share = ["node_modules"]']),
                   ("npm ci --prefer-offline --no-audit --no-fund", None, "npm test"),
                   "packages/part3/index.js:// a comment", ("npm",), False, "npm ci --no-audit --no-fund")


def typescript():
    files = {".gitignore": "node_modules/\ndist/\n*.tsbuildinfo\n",
             "package.json": '{"name": "shop", "private": true, "scripts": {"build": "tsc -p .", "test": '
                             '"node --test dist/"}, "devDependencies": {"typescript": "5.4.5"}}\n',
             "tsconfig.json": '{"compilerOptions": {"target": "es2020", "module": "commonjs", "strict": true, '
                              '"incremental": true, "outDir": "dist", "rootDir": "src", "types": []}, '
                              '"include": ["src"]}\n'}
    for i in range(150):
        before = f"import {{ Shop{i - 1} }} from './part{i - 1}';\n" if i else ""
        kind = f"Shop{i - 1} & " if i else ""
        body = "".join(f"export function price{n}(shop: Shop{i}): number {{ return shop.count{i} + {n}; }}\n"
                       for n in range(60))
        files[f"src/part{i}.ts"] = f"{before}export type Shop{i} = {kind}{{ count{i}: number }};\n{body}"
    for i in range(10):
        files[f"src/part{i}.test.ts"] = (
            "declare const require: any;\nconst test = require('node:test');\nconst assert = require('node:assert');\n"
            f"import {{ price1 }} from './part{i}';\n"
            f"test('price', () => assert.equal(price1({{ count{i}: 1 }} as any), 2));\n")
    build, test = "npx --offline tsc -p .", "npm test"
    return Project("tsc + node:test", files,
                   _config(build, test, ['share = ["node_modules"]', 'outputs = ["dist", "tsconfig.tsbuildinfo"]']),
                   ("npm ci --prefer-offline --no-audit --no-fund", build, test), "src/part140.ts:// a comment",
                   ("npm",), True, "npm install --no-audit --no-fund", True)


def cargo_workspace():
    crates = 12
    files = {".gitignore": "target/\n", "Cargo.toml": '[workspace]\nresolver = "2"\nmembers = ["part*"]\n'}
    lock = ["version = 3\n"]
    for i in range(crates):
        needs = f'[dependencies]\npart{i - 1} = {{ path = "../part{i - 1}" }}\n' if i else ""
        at = f"part{i}/"
        files[at + "Cargo.toml"] = f'[package]\nname = "part{i}"\nversion = "0.1.0"\nedition = "2021"\n{needs}'
        files[at + "src/lib.rs"] = "".join(f"pub mod m{m};\n" for m in range(6))
        for m in range(6):
            body = "".join(f"pub fn price{n}(list: &[u64]) -> u64 {{ list.iter().filter(|x| **x > {n}).map(|x| x * {n})"
                           f".sum::<u64>() + {n} }}\n" for n in range(25))
            tests = "".join(f"  #[test] fn is_{n}() {{ assert_eq!(super::price{n}(&[]), {n}); }}\n" for n in range(5))
            files[at + f"src/m{m}.rs"] = f"{body}#[cfg(test)]\nmod tests {{\n{tests}}}\n"
    for name in sorted(f"part{i}" for i in range(crates)):
        i = int(name[4:])
        needs = f'dependencies = [\n "part{i - 1}",\n]\n' if i else ""
        lock.append(f'[[package]]\nname = "{name}"\nversion = "0.1.0"\n{needs}')
    files["Cargo.lock"] = "\n".join(lock)
    build, test = "cargo build --offline --workspace", "cargo test --offline --workspace"
    return Project("cargo workspace", files,
                   _config(build, test, ['outputs = ["target"]', f'warm = "{test} --no-run"']),
                   (None, build, test), "part9/src/m1.rs:// a comment", ("cargo",), True)


def go_module():
    files = {"go.mod": "module example.test/shop\n\ngo 1.19\n"}
    for i in range(20):
        before = f'import "example.test/shop/part{i - 1}"\n\nvar Before = part{i - 1}.Price1(1)\n' if i else ""
        body = "".join(f"func Price{n}(c int) int {{ return c + {n} }}\n\n" for n in range(60))
        files[f"part{i}/part.go"] = f"package part{i}\n\n{before}\n{body}"
        tests = "".join(f"func TestPrice{n}(t *testing.T) {{\n\tif Price{n}(1) != 1+{n} {{\n\t\tt.Fatal(http.StatusOK)\n"
                        "\t}\n}\n\n" for n in range(10))
        files[f"part{i}/part_test.go"] = f'package part{i}\n\nimport (\n\t"net/http"\n\t"testing"\n)\n\n{tests}'
    build, test = "go build ./...", "go test -count=1 -v ./..."
    return Project("go module", files,
                   _config(build, test, ['caches = ["go-build", "go-mod"]', "warm = \"go test -run '^$' ./...\"",
                                         'outputs = ["bin"]']),
                   (None, build, test), "part15/part.go:// a comment", ("go",), True,
                   "go build ./... && go test -run '^$' ./...")


def cmake_googletest():
    parts = 12
    names = " ".join(f"part{i}" for i in range(parts))
    files = {".gitignore": "build/\n",
             "CMakeLists.txt":
                 "cmake_minimum_required(VERSION 3.20)\nproject(shop CXX)\nenable_testing()\n"
                 "find_package(GTest REQUIRED)\ninclude(GoogleTest)\n"
                 f"foreach(part {names})\n  add_library(${{part}} ${{part}}.cpp)\n"
                 "  add_executable(${part}_test ${part}_test.cpp)\n"
                 "  target_link_libraries(${part}_test ${part} GTest::gtest_main)\n"
                 "  gtest_discover_tests(${part}_test)\nendforeach()\n"}
    for i in range(parts):
        files[f"part{i}.h"] = "#include <vector>\n" + "".join(f"int price{n}(const std::vector<int>&);\n" for n in range(20))
        files[f"part{i}.cpp"] = (f'#include "part{i}.h"\n#include <map>\n#include <numeric>\n#include <string>\n' +
                                 "".join(f"int price{n}(const std::vector<int>& list) {{ return std::accumulate("
                                         f"list.begin(), list.end(), {n}); }}\n" for n in range(20)))
        files[f"part{i}_test.cpp"] = (f'#include "part{i}.h"\n#include <gtest/gtest.h>\n' +
                                      "".join(f"TEST(Part{i}, Price{n}) {{ EXPECT_EQ(price{n}({{1}}), {n} + 1); }}\n"
                                              for n in range(10)))
    setup, build, test = "cmake -S . -B build -G Ninja", "cmake --build build", "ctest --test-dir build"
    return Project("CMake + Ninja + GoogleTest", files,
                   _config(build, test, [f'setup = "{setup}"', 'outputs = ["build"]']), (setup, build, test),
                   "part5.cpp:// a comment", ("cmake", "ninja", "ctest", "/usr/include/gtest/gtest.h"), True)


def make():
    parts = 60
    objects = " ".join(f"out/part{i}.o" for i in range(parts))
    files = {".gitignore": "out/\n",
             "Makefile": f"out/test: out/main.o {objects}\n\t$(CC) -o $@ $^\nout/%.o: %.c\n\t@mkdir -p out\n"
                         "\t$(CC) -O2 -c -o $@ $<\ncheck: out/test\n\tout/test\n.PHONY: check\n"}
    for i in range(parts):
        files[f"part{i}.c"] = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n" + "".join(
            f"int price{i}_{n}(int c) {{ char text[64]; snprintf(text, sizeof text, \"%d\", c * {n}); "
            "return atoi(text) + (int)strlen(text); }\n" for n in range(40))
    files["main.c"] = "".join(f"int price{i}_1(int);\n" for i in range(parts)) + "int main(void) { return " + \
        " + ".join(f"price{i}_1(7) - 8" for i in range(parts)) + "; }\n"
    build, test = "make -j2 out/test", "make check"
    return Project("make", files, _config(build, test, ['outputs = ["out"]']), (None, build, test),
                   "part9.c:// a comment", ("make", "cc"), True)


PROJECTS = {"venv": venv_pytest, "npm": npm_workspaces, "tsc": typescript, "cargo": cargo_workspace, "go": go_module,
            "cmake": cmake_googletest, "make": make}
