#include "cli/render/ui_view.hpp"

#include <nlohmann/json.hpp>

namespace hydra::cli {
namespace {

using nlohmann::json;

Error unreadable_ui() {
  return {Errc::protocol,
          "the daemon's answer can't be read",
          {},
          "are `hydra` and `hydrad` of the same version?"};
}

}  // namespace

Result<UiView> parse_ui(std::string_view body) {
  const auto j = json::parse(body, nullptr, false);
  if (!j.is_object()) return unreadable_ui();
  UiView view;
  if (j.contains("port") && j["port"].is_number_integer()) view.port = j["port"].get<int>();
  view.page = j.contains("page") && j["page"] == true;
  if (j.contains("codes") && j["codes"].is_number_integer()) view.codes = j["codes"].get<std::int64_t>();
  if (j.contains("sessions") && j["sessions"].is_array())
    view.sessions = static_cast<std::int64_t>(j["sessions"].size());
  return view;
}

Result<OpenedView> parse_opened(std::string_view body) {
  const auto j = json::parse(body, nullptr, false);
  if (!j.is_object() || !j.contains("url") || !j["url"].is_string() || !j.contains("port") ||
      !j["port"].is_number_integer())
    return unreadable_ui();
  return OpenedView{j["url"].get<std::string>(), std::string(body), j["port"].get<int>(), 0};
}

}  // namespace hydra::cli
