// cli: whether what was said on standard output could be written.
#pragma once

namespace hydra::cli {

/// The program's exit code: `code`, or 3 with a message where the output could not be written. A pipe that
/// nobody reads any more is no failure.
int finish_output(int code);

}  // namespace hydra::cli
