// checks, inside only: what Python loads at its start to write down which lines of functions run. Lines that
// run when a module is loaded are none: loading is no test. No apostrophe in it: it stands in shell quotes.
#pragma once

namespace hydra::checks {

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

}  // namespace hydra::checks
