// config: converts values back to TOML, for example() and for hints.
#include "config/schema.hpp"

#include <fmt/format.h>

#include <type_traits>

namespace hydra::config {
namespace {

std::string number(double value) { return fmt::format("{}", value); }

template <class List, class Show>
std::string array(const List& list, Show show) {
  std::string out = "[";
  for (const auto& item : list) {
    if (out.size() > 1) out += ", ";
    out += show(item);
  }
  return out + "]";
}

std::string conditions(const model::JsonWhen& when) {
  std::string out = "{";
  for (const auto& c : when)
    out += fmt::format("{} {} = {}", out.size() > 1 ? "," : "", in_quotes(c.pointer), in_quotes(c.equals));
  return out + (when.empty() ? "}" : " }");
}

template <class Map>
std::string table(const Map& map) {
  std::string out = "{";
  for (const auto& [key, value] : map)
    out += fmt::format("{} {} = {}", out.size() > 1 ? "," : "", in_quotes(fmt::format("{}", key)),
                       in_quotes(value));
  return out + (map.empty() ? "}" : " }");
}

struct Render {
  std::string operator()(const bool* v) const { return *v ? "true" : "false"; }
  std::string operator()(const int* v) const { return std::to_string(*v); }
  std::string operator()(const double* v) const { return number(*v); }
  std::string operator()(const std::uint64_t* v) const { return std::to_string(*v); }
  std::string operator()(const std::string* v) const { return in_quotes(*v); }
  std::string operator()(const std::optional<std::string>* v) const {
    return *v ? in_quotes(**v) : std::string();
  }
  std::string operator()(const std::optional<double>* v) const { return *v ? number(**v) : std::string(); }
  std::string operator()(const std::vector<std::string>* v) const { return array(*v, in_quotes); }
  std::string operator()(const std::vector<int>* v) const {
    return array(*v, [](int i) { return std::to_string(i); });
  }
  std::string operator()(const std::map<std::string, std::string>* v) const { return table(*v); }
  std::string operator()(const std::map<int, std::string>* v) const { return table(*v); }
  std::string operator()(const std::vector<model::StopStep>* v) const {
    return array(*v, [](const model::StopStep& s) {
      return fmt::format("{{ signal = {}, wait_seconds = {} }}", in_quotes(signal_name(s.signal)),
                         number(s.wait_seconds));
    });
  }
  std::string operator()(const model::JsonWhen* v) const { return conditions(*v); }
  std::string operator()(const std::vector<model::JsonWhen>* v) const { return array(*v, conditions); }
  std::string operator()(const std::vector<model::UsageRule>* v) const {
    return array(*v, [](const model::UsageRule& rule) {
      model::UsageRule copy = rule;
      std::string out = "{";
      for (const auto& key : usage_keys()) {
        model::UsageRule none;
        const auto value = to_toml(key.at(copy));
        if (value != to_toml(key.at(none)))
          out += fmt::format("{} {} = {}", out.size() > 1 ? "," : "", key.path, value);
      }
      return out + " }";
    });
  }
  std::string operator()(const Choice& c) const {
    return in_quotes(c.names[static_cast<std::size_t>(c.get(c.member))]);
  }
};

}  // namespace

std::string to_toml(const Target& target) {
  return std::visit([](const auto& t) { return Render{}(t); }, target);
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (u < 0x20 || u == 0x7f) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned>(u));
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace hydra::config
