// checks, inside only: how the tests of an ecosystem are made to tell which lines they run. One row a
// language, as parts of a shell script: `before` the configured tests and `after` them. $HYDRA_COVER_TO is an
// empty directory of the run's own; a recipe that can't work writes its reason to $HYDRA_COVER_TO/why.
// @FILES@ is replaced by the changed files of the row's kinds, quoted for the shell; @PATHS@ by the same
// between colons; @SCRIPT@ by kPythonCoverage; @BUILD@ by the configured build.
#pragma once

#include <string_view>

namespace hydra::checks {

/// What Python loads at its start to write down which lines of functions run. Lines that run when a module is
/// loaded are none: loading is no test. No apostrophe in it: it stands in shell quotes.
inline constexpr char kPythonCoverage[] = R"PY(import atexit, os, sys, threading
_files = [f for f in os.environ.get("HYDRA_COVER_FILES", "").split(":") if f]
_known, _where, _hits = {}, {}, {}
def _file(name):
    if name not in _known:
        path = os.path.abspath(name)
        _known[name] = next((f for f in _files if path.endswith("/" + f)), "")
        if _known[name]: _where[_known[name]] = path
    return _known[name]
def _line(frame, event, arg):
    if event == "line": _hits[_known[frame.f_code.co_filename]].add(frame.f_lineno)
    return _line
def _call(frame, event, arg):
    code = frame.f_code
    if not _file(code.co_filename): return None
    _hits.setdefault(_known[code.co_filename], set())
    return _line if code.co_flags & 1 else None
def _functions(code, found):
    import dis
    for inner in code.co_consts:
        if not hasattr(inner, "co_code"): continue
        if inner.co_flags & 1:
            own = {n for _, n in dis.findlinestarts(inner) if n}
            found |= own - {inner.co_firstlineno} if len(own) > 1 else own
        _functions(inner, found)
    return found
def _write():
    sys.settrace(None)
    if not _hits: return
    with open(os.path.join(os.environ["HYDRA_COVER_TO"], "py-%d.info" % os.getpid()), "w") as out:
        for name, path in _where.items():
            try: lines = _functions(compile(open(path, "rb").read(), path, "exec"), set())
            except Exception: continue
            out.write("SF:%s\n" % name)
            for n in sorted(lines): out.write("DA:%d,%d\n" % (n, n in _hits.get(name, ())))
            out.write("end_of_record\n")
if _files and os.environ.get("HYDRA_COVER_TO"):
    atexit.register(_write)
    threading.settrace(_call)
    sys.settrace(_call)
)PY";

struct CoverageRecipe {
  std::string_view extensions;  ///< each between blanks
  std::string_view before, after;
};

inline constexpr CoverageRecipe kCoverageRecipes[] = {
    {" .py ", R"SH(mkdir -p "$HYDRA_COVER_TO/py"
HYDRA_COVER_FILES=@PATHS@; export HYDRA_COVER_FILES
printf %s @SCRIPT@ > "$HYDRA_COVER_TO/py/sitecustomize.py"
PYTHONPATH="$HYDRA_COVER_TO/py${PYTHONPATH:+:$PYTHONPATH}"; export PYTHONPATH
)SH",
     ""},
    {" .js .mjs .cjs ", R"SH(mkdir -p "$HYDRA_COVER_TO/v8"
NODE_V8_COVERAGE="$HYDRA_COVER_TO/v8"; export NODE_V8_COVERAGE
)SH",
     ""},
    {" .go ", R"SH(GOFLAGS="$GOFLAGS -coverpkg=./... -coverprofile=$HYDRA_COVER_TO/go.cover"; export GOFLAGS
)SH",
     ""},
    // rustc writes profiles of its own LLVM's version, which other versions' tools refuse.
    {" .rs ", R"SH(RUSTFLAGS="$RUSTFLAGS -C instrument-coverage"; export RUSTFLAGS
LLVM_PROFILE_FILE="$HYDRA_COVER_TO/rs-%p-%m.profraw"; export LLVM_PROFILE_FILE
CARGO_TARGET_DIR="$HYDRA_COVER_TO/target"; export CARGO_TARGET_DIR
)SH",
     R"SH(unset LLVM_PROFILE_FILE
hydra_llvm() {
  hydra_major=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')  # a distribution has tools by number
  for hydra_tool in "$(rustc --print sysroot)"/lib/rustlib/*/bin/"$1" "$(command -v "$1-$hydra_major")" "$(command -v "$1")"; do
    [ -x "$hydra_tool" ] && { shift; "$hydra_tool" "$@"; return; }
  done
  return 1
}
set --
for hydra_file in "$HYDRA_COVER_TO"/target/debug/deps/*; do
  case "$hydra_file" in *.so) ;; *) [ -f "$hydra_file" ] && [ -x "$hydra_file" ] && set -- "$@" -object "$hydra_file";; esac
done
if hydra_llvm llvm-profdata merge -sparse -o "$HYDRA_COVER_TO/rs.profdata" "$HYDRA_COVER_TO"/rs-*.profraw &&
  hydra_llvm llvm-cov export -format=lcov -instr-profile="$HYDRA_COVER_TO/rs.profdata" "$@" > "$HYDRA_COVER_TO/rs.info"
then :; else rm -f "$HYDRA_COVER_TO/rs.info"; echo no_llvm_tools > "$HYDRA_COVER_TO/why"; fi
rm -rf "$HYDRA_COVER_TO/target"
)SH"},
    // Compilers that are found by name get --coverage behind everything else; CMake's, which it keeps by
    // path, by its flags. What was built before is built again where a changed file goes in.
    {" .c .cc .cpp .cxx .c++ .h .hh .hpp .hxx ", R"SH(mkdir -p "$HYDRA_COVER_TO/bin"
cat > "$HYDRA_COVER_TO/bin/cc" <<'HYDRA_END'
#!/bin/sh
PATH=${PATH#"${0%/*}:"}
exec "${0##*/}" "$@" --coverage
HYDRA_END
chmod +x "$HYDRA_COVER_TO/bin/cc"
for hydra_name in gcc c++ g++; do cp "$HYDRA_COVER_TO/bin/cc" "$HYDRA_COVER_TO/bin/$hydra_name"; done
PATH="$HYDRA_COVER_TO/bin:$PATH"; export PATH
touch -c -- @FILES@
for hydra_cache in CMakeCache.txt */CMakeCache.txt */*/CMakeCache.txt; do
  [ -f "$hydra_cache" ] || continue
  hydra_flags() { sed -n "s/^CMAKE_$1_FLAGS:[A-Z]*=//p" "$hydra_cache"; }
  cmake -DCMAKE_C_FLAGS="$(hydra_flags C) --coverage" -DCMAKE_CXX_FLAGS="$(hydra_flags CXX) --coverage" \
    "$(dirname "$hydra_cache")" > "$HYDRA_COVER_TO/cmake.log" 2>&1
done
@BUILD@
)SH",
     R"SH(if command -v gcov > "$HYDRA_COVER_TO/gcov.path"; then
  hydra_top=$PWD; hydra_number=0
  find "$hydra_top" -name '*.gcno' > "$HYDRA_COVER_TO/gcno"
  while IFS= read -r hydra_file; do
    hydra_number=$((hydra_number + 1))
    ( cd "$(dirname "$hydra_file")" && gcov -r -s "$hydra_top" --json-format --stdout "$(basename "$hydra_file")" \
      > "$HYDRA_COVER_TO/gcov-$hydra_number.json" 2> "$HYDRA_COVER_TO/gcov.log" )
  done < "$HYDRA_COVER_TO/gcno"
else echo no_gcov > "$HYDRA_COVER_TO/why"; fi
)SH"},
};

}  // namespace hydra::checks
