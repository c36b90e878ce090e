// toml++'s functions, compiled from its own headers (ADR 35).
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
