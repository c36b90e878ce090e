#include "checks/protected_table.hpp"

#include <algorithm>
#include <array>

namespace hydra::checks {
namespace {

using Text = std::string_view;
template <std::size_t N>
bool is_one_of(const std::array<Text, N>& list, Text name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

bool is_runner_module(std::string_view name) {
  constexpr std::array<Text, 14> kNames{"pytest",     "_pytest",    "pluggy",   "unittest", "doctest",
                                        "nose",       "nose2",      "coverage", "tox",      "nox",
                                        "hypothesis", "pytest_cov", "xdist",    "iniconfig"};
  return is_one_of(kNames, name);
}

bool is_standard_module(std::string_view name) {
  // Without those that projects use for files of their own: queue, token, types, calendar, code, …
  constexpr Text kNames[] = {
      "abc",           "argparse",    "ast",          "base64",     "bdb",         "codecs",
      "codeop",        "collections", "configparser", "contextlib", "contextvars", "copy",
      "copyreg",       "dataclasses", "datetime",     "decimal",    "difflib",     "dis",
      "encodings",     "enum",        "faulthandler", "fnmatch",    "fractions",   "functools",
      "genericpath",   "getpass",     "gettext",      "glob",       "hashlib",     "importlib",
      "inspect",       "io",          "json",         "linecache",  "logging",     "ntpath",
      "opcode",        "optparse",    "os",           "pathlib",    "pdb",         "pickle",
      "pkgutil",       "posixpath",   "pprint",       "pydoc",      "re",          "reprlib",
      "runpy",         "selectors",   "shlex",        "shutil",     "socket",      "sre_compile",
      "sre_constants", "sre_parse",   "subprocess",   "symtable",   "sysconfig",   "tempfile",
      "textwrap",      "threading",   "tokenize",     "tomllib",    "traceback",   "typing",
      "uuid",          "warnings",    "weakref",      "zipfile",    "zipimport"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

}  // namespace hydra::checks
