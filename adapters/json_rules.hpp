// adapters, inside the room: a descriptor's rules over JSON lines, taken apart once: pointers, conditions,
// usage. Foreign values are never trusted: what has the wrong type or no sensible size counts as absent.
#pragma once

#include "model/agent_descriptor.hpp"
#include "model/agent_run.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hydra::adapters {

using Json = nlohmann::json;

class Pointer {
 public:
  Pointer() = default;
  explicit Pointer(std::string_view text);
  /// The value there; null when there is none, or when the pointer is empty.
  [[nodiscard]] const Json* find(const Json& json) const;

 private:
  std::vector<std::string> parts_;
};

/// Conditions that must all hold. None: never.
class When {
 public:
  When() = default;
  explicit When(const model::JsonWhen& when);
  [[nodiscard]] bool empty() const { return conditions_.empty(); }
  [[nodiscard]] bool holds(const Json& json) const;

 private:
  std::vector<std::pair<Pointer, std::string>> conditions_;
};

bool any_holds(const std::vector<When>& list, const Json& json);
/// A string as it is, another value as JSON, nothing for null.
std::string text_at(const Pointer& pointer, const Json& json);
/// An HTTP status, as number or text.
std::optional<int> status_at(const Pointer& pointer, const Json& json);

/// Counts tokens and money as the stream goes by.
class UsageReader {
 public:
  UsageReader() = default;
  explicit UsageReader(const model::UsageRule& rule);
  void read(const Json& json);
  [[nodiscard]] const model::Usage& usage() const { return usage_; }
  /// Were there any tokens?
  [[nodiscard]] bool counted() const;

 private:
  [[nodiscard]] model::Usage extract(const Json& json) const;

  model::UsageMode mode_ = model::UsageMode::none;
  When when_;
  Pointer input_, output_, cache_read_, cache_write_, reasoning_, cost_;
  bool input_includes_cache_ = false, output_excludes_reasoning_ = false;
  model::Usage usage_;
};

}  // namespace hydra::adapters
