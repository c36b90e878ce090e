#include "config/reader.hpp"

#include "base/strings.hpp"
#include "base/toml.hpp"
#include "config/forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hydra::config {
namespace {

std::string_view type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "a boolean";
    default:
      return "a date or time";
  }
}

std::string range_text(const Rule& rule) {
  const bool low = std::isfinite(rule.min);
  const bool high = std::isfinite(rule.max);
  std::string text;
  if (low) text = fmt::format("{} {}", rule.above_min ? "above" : "at least", rule.min);
  if (high) text += fmt::format("{}at most {}", low ? " and " : "", static_cast<double>(rule.max));
  return text;
}

/// Returns a scalar as text, comparable with JSON scalars.
std::optional<std::string> scalar_text(const toml::node& node) {
  if (const auto* s = node.as_string()) return s->get();
  if (const auto* i = node.as_integer()) return std::to_string(i->get());
  if (const auto* b = node.as_boolean()) return b->get() ? "true" : "false";
  if (const auto* f = node.as_floating_point()) return fmt::format("{}", f->get());
  return std::nullopt;
}

/// Stores one node in one member; complaints go to the source.
class Assign {
 public:
  Assign(const Source& source, std::string_view path, const toml::node& node, const Rule& rule)
      : source_(source), path_(path), node_(node), rule_(rule) {}

  bool operator()(bool* out) const {
    const auto* v = node_.as_boolean();
    if (v == nullptr) return expected("true or false");
    *out = v->get();
    return true;
  }
  bool operator()(int* out) const {
    const auto v = integer();
    if (v) *out = static_cast<int>(*v);
    return v.has_value();
  }
  bool operator()(std::uint64_t* out) const {
    const auto v = integer();
    if (v) *out = static_cast<std::uint64_t>(*v);
    return v.has_value();
  }
  bool operator()(double* out) const {
    double v = 0;
    if (const auto* f = node_.as_floating_point())
      v = f->get();
    else if (const auto* i = node_.as_integer())
      v = static_cast<double>(i->get());
    else
      return expected("a number");
    if (!std::isfinite(v) || !in_range(v)) return out_of_range("a number");
    *out = v;
    return true;
  }
  bool operator()(std::string* out) const {
    const auto* v = node_.as_string();
    if (v == nullptr) return expected("a string");
    if (auto bad = bad_form(v->get())) return complain(node_, *bad);
    *out = v->get();
    return true;
  }
  bool operator()(std::optional<std::string>* out) const {
    std::string text;
    if (!(*this)(&text)) return false;
    *out = std::move(text);
    return true;
  }
  bool operator()(std::optional<double>* out) const {
    double value = 0;
    if (!(*this)(&value)) return false;
    *out = value;
    return true;
  }
  bool operator()(std::vector<std::string>* out) const {
    const auto* array = node_.as_array();
    if (array == nullptr) return expected("an array of strings");
    std::vector<std::string> list;
    bool good = true;
    for (const auto& item : *array) {
      const auto* v = item.as_string();
      if (v == nullptr) {
        good = complain(item, fmt::format("expected a string here, found {}", type_name(item)));
      } else if (auto bad = bad_form(v->get())) {
        good = complain(item, *bad);
      } else {
        list.push_back(v->get());
      }
    }
    if (!good) return false;
    if (auto bad = source_.forms == Forms::check ? check_list(rule_.form, list) : Complaint())
      return complain(node_, *bad);
    *out = std::move(list);
    return true;
  }
  bool operator()(std::vector<int>* out) const {
    const auto* array = node_.as_array();
    if (array == nullptr) return expected("an array of integers");
    std::vector<int> list;
    bool good = true;
    for (const auto& item : *array) {
      int v = 0;
      const bool item_good = Assign(source_, path_, item, rule_)(&v);
      good = item_good && good;
      list.push_back(v);
    }
    if (good) *out = std::move(list);
    return good;
  }
  bool operator()(std::map<std::string, std::string>* out) const {
    const auto* table = node_.as_table();
    if (table == nullptr) return expected("a table of strings");
    std::map<std::string, std::string> map;
    bool good = true;
    for (const auto& [key, item] : *table) {
      const auto* v = item.as_string();
      if (v == nullptr) {
        good = complain(item, fmt::format("expected a string here, found {}", type_name(item)));
      } else if (auto bad = check_pair(rule_.form, key.str(), v->get())) {
        good = complain(item, *bad);
      } else {
        map[std::string(key.str())] = v->get();
      }
    }
    if (good) *out = std::move(map);
    return good;
  }
  bool operator()(std::map<int, std::string>* out) const {
    std::map<std::string, std::string> texts;
    if (!(*this)(&texts)) return false;
    out->clear();
    for (const auto& [key, value] : texts) (*out)[static_cast<int>(parse_int(key).value_or(0))] = value;
    return true;
  }
  bool operator()(std::vector<model::StopStep>* out) const {
    const auto* array = node_.as_array();
    if (array == nullptr) return expected("an array of { signal = \"INT\", wait_seconds = 5 }");
    std::vector<model::StopStep> steps;
    for (const auto& item : *array) {
      const auto* table = item.as_table();
      const auto signal =
          table ? signal_from_name((*table)["signal"].value_or(std::string_view())) : std::nullopt;
      const auto wait = table ? (*table)["wait_seconds"].value<double>() : std::nullopt;
      if (!signal || !wait || !(*wait >= 0 && *wait <= 3600) || table->size() != 2)
        return complain(
            item,
            "expected { signal = \"INT\", wait_seconds = 5 } with INT, TERM, HUP, QUIT, USR1, USR2 or "
            "KILL and 0 to 3600 s");
      steps.push_back({*signal, *wait});
    }
    *out = std::move(steps);
    return true;
  }
  bool operator()(model::JsonWhen* out) const {
    const auto* table = node_.as_table();
    if (table == nullptr) return expected("a table of conditions, as { type = \"result\" }");
    model::JsonWhen when;
    for (const auto& [key, item] : *table) {
      auto text = scalar_text(item);
      if (!text) return complain(item, "expected a string, number or boolean to compare with");
      std::string pointer(key.str());
      if (!pointer.starts_with('/')) pointer.insert(0, "/");
      when.push_back({std::move(pointer), std::move(*text)});
    }
    *out = std::move(when);
    return true;
  }
  bool operator()(std::vector<model::JsonWhen>* out) const {
    const auto* array = node_.as_array();
    if (array == nullptr) return expected("an array of tables, as [{ type = \"assistant\" }]");
    std::vector<model::JsonWhen> list;
    bool good = true;
    for (const auto& item : *array) {
      model::JsonWhen when;
      good = Assign(source_, path_, item, rule_)(&when) && good;
      list.push_back(std::move(when));
    }
    if (good) *out = std::move(list);
    return good;
  }
  bool operator()(std::vector<model::UsageRule>* out) const {
    std::vector<model::UsageRule> rules;
    const auto before = source_.errors->size();
    const auto read = [&](const toml::node& item) {
      const auto* table = item.as_table();
      if (table == nullptr)
        return complain(item, "expected a table, as { mode = \"sum\", when = { type = \"call\" } }");
      Places places;
      read_table<model::UsageRule>(source_, *table, "", usage_keys(), rules.emplace_back(), places);
      return source_.errors->size() == before;
    };
    if (const auto* array = node_.as_array()) {
      for (const auto& item : *array)
        if (!read(item)) return false;
    } else if (!read(node_)) {
      return false;
    }
    *out = std::move(rules);
    return true;
  }
  bool operator()(const Choice& choice) const {
    std::vector<std::string> names(choice.names.begin(), choice.names.end());
    std::string list;
    for (const auto& n : names) list += (list.empty() ? "\"" : ", \"") + n + "\"";
    const auto* v = node_.as_string();
    if (v == nullptr) return expected("one of " + list);
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] != v->get()) continue;
      choice.set(choice.member, static_cast<int>(i));
      return true;
    }
    const auto near = nearest(v->get(), names);
    source_.complain(node_.source(), fmt::format("'{}' must be one of {}", path_, list),
                     near ? fmt::format("did you mean '{}'?", *near) : std::string());
    return false;
  }

 private:
  [[nodiscard]] Complaint bad_form(std::string_view text) const {
    return source_.forms == Forms::check ? check_text(rule_.form, text) : Complaint();
  }
  [[nodiscard]] bool in_range(double v) const {
    return (rule_.above_min ? v > rule_.min : v >= rule_.min) && v <= rule_.max;
  }
  [[nodiscard]] std::optional<std::int64_t> integer() const {
    const auto* v = node_.as_integer();
    if (v == nullptr) {
      (void)expected("an integer");
      return std::nullopt;
    }
    if (!in_range(static_cast<double>(v->get()))) {
      (void)out_of_range("an integer");
      return std::nullopt;
    }
    return v->get();
  }
  bool expected(std::string_view what) const {
    return complain(node_, fmt::format("'{}' must be {}, found {}", path_, what, type_name(node_)));
  }
  bool out_of_range(std::string_view what) const {
    return complain(node_, fmt::format("'{}' must be {}, {}", path_, what, range_text(rule_)));
  }
  bool complain(const toml::node& at, std::string message) const {
    source_.complain(at.source(), std::move(message));
    return false;
  }

  const Source& source_;
  std::string_view path_;
  const toml::node& node_;
  const Rule& rule_;
};

std::size_t common_prefix(std::string_view a, std::string_view b) {
  const auto n = std::min(a.size(), b.size());
  std::size_t i = 0;
  while (i < n && a[i] == b[i]) ++i;
  return i;
}

}  // namespace

std::string Source::where(const toml::source_region& at) const {
  return fmt::format("{}:{}:{}", name, at.begin.line, at.begin.column);
}

void Source::complain(const toml::source_region& at, std::string message, std::string hint) const {
  errors->push_back({Errc::config, sanitize(message), where(at), std::move(hint)});
}

bool assign(const Source& source, std::string_view path, const toml::node& node, const Target& target,
            const Rule& rule) {
  return std::visit([&](const auto& t) { return Assign(source, path, node, rule)(t); }, target);
}

std::string suggest(std::string_view parent, std::string_view key,
                    const std::vector<std::string_view>& paths) {
  std::vector<std::string> siblings;
  const std::string prefix = parent.empty() ? std::string() : std::string(parent) + ".";
  for (const auto path : paths) {
    if (!path.starts_with(prefix)) continue;
    const auto rest = path.substr(prefix.size());
    const std::string child(rest.substr(0, rest.find('.')));
    if (std::find(siblings.begin(), siblings.end(), child) == siblings.end()) siblings.push_back(child);
  }
  if (const auto near = nearest(key, siblings)) return fmt::format("did you mean '{}'?", *near);
  for (const auto path : paths) {
    const auto dot = path.rfind('.');
    if (dot == std::string_view::npos || path.substr(dot + 1) != key) continue;
    return fmt::format("'{}' belongs to [{}]", key, path.substr(0, dot));
  }
  const std::string* best = nullptr;
  for (const auto& s : siblings)
    if (common_prefix(s, key) >= 4 && (best == nullptr || common_prefix(s, key) > common_prefix(*best, key)))
      best = &s;
  if (best != nullptr) return fmt::format("did you mean '{}'?", *best);
  return fmt::format("known here: {}", join(siblings, ", "));
}

std::optional<toml::table> parse(const Source& source, std::string_view text) {
  try {
    return parse_toml(text, source.name);
  } catch (const toml::parse_error& e) {
    source.complain(e.source(), std::string(e.description()));
  } catch (const std::exception& e) {
    source.errors->push_back({Errc::config, std::string("can't be read: ") + e.what(), source.name, {}});
  }
  return std::nullopt;
}

}  // namespace hydra::config
