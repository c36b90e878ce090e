#include "cli/render/metrics_export.hpp"

#include "base/files.hpp"

namespace hydra::cli {

int export_metrics(Context& context, client::Client& client, const std::string& query,
                   const std::string& file) {
  const auto text = client.call("GET", "/metrics" + (query.empty() ? "" : "?" + query));
  if (!text) return context.fail(text.error());
  if (file.empty()) {
    print(*text);
    return kDone;
  }
  // Whoever collects metrics may read the file at any moment.
  const auto written = write_file_atomic(file, *text, false);
  return written ? static_cast<int>(kDone) : context.fail(written.error());
}

}  // namespace hydra::cli
