// adapters, inside the room: applies a descriptor's rules to one JSON object of a stream. A JsonSkimmer reads
// the object; the reader sees only the values that the rules name.
#pragma once

#include "adapters/json_rules.hpp"
#include "adapters/tally.hpp"

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace hydra::adapters {

class EventReader {
 public:
  explicit EventReader(const model::AgentDescriptor& descriptor);
  EventReader(const EventReader&) = delete;
  EventReader& operator=(const EventReader&) = delete;

  [[nodiscard]] const Interest& interest() const { return interest_; }
  void event(const Values& values, Tally& tally);
  /// Whether the object is a terminal event or an error.
  [[nodiscard]] bool decides(const Values& values) const;
  /// Returns the usage of the main rule, else of the first fallback that counted anything.
  [[nodiscard]] model::Usage usage(const model::Usage& resume_base) const;
  /// Whether the main usage rule counted anything, so usage() is no fallback.
  [[nodiscard]] bool counted() const { return usage_.counted(); }

 private:
  bool retry(const Values& values, Tally& tally);
  void error_from(const Values& values, Tally& tally) const;
  void shown(const Values& values, Tally& tally, bool is_progress) const;

  Interest interest_;
  bool session_guard_ = false;
  When session_when_, retry_when_, terminal_when_, terminal_ok_, denied_when_, model_when_, turn_when_,
      open_when_;
  std::vector<When> progress_, error_when_, resume_when_, tool_when_;
  Pointer session_path_, retry_status_, retry_text_, error_text_, error_status_, error_class_, stop_reason_,
      terminal_text_, denied_path_, model_path_, version_path_, turns_, open_list_, open_name_;
  std::string version_;  ///< CLI version as the stream reports it
  std::vector<Pointer> text_paths_, tool_paths_;
  UsageReader usage_;
  std::vector<UsageReader> fallbacks_;
  std::unique_ptr<RE2> retry_regex_;
  bool has_retry_regex_ = false;
};

/// Reads usage from JSON Lines in chunks of any size, without buffering a line.
class UsageLogReader {
 public:
  explicit UsageLogReader(const model::UsageFile& file)
      : usage_(interest_, file.rule, true), model_(interest_, file.model), skimmer_(interest_) {}
  UsageLogReader(const UsageLogReader&) = delete;
  UsageLogReader& operator=(const UsageLogReader&) = delete;

  void feed(std::string_view bytes);
  [[nodiscard]] const model::Usage& usage() const { return usage_.usage(); }
  [[nodiscard]] bool counted() const { return usage_.counted(); }
  /// Returns the model named last; empty: none yet.
  [[nodiscard]] const std::string& model() const { return found_model_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  ///< bytes fed so far

 private:
  Interest interest_;
  UsageReader usage_;
  Pointer model_;
  std::string found_model_;
  JsonSkimmer skimmer_;
  bool begun_ = false, json_ = true;  ///< state of the current line
  std::uint64_t bytes_ = 0;
};

struct FileUsage {
  model::Usage usage;
  std::string model;  ///< model that the file names; empty: none
};
/// Reads usage from a whole file; the rule decides between JSON Lines and one JSON document.
FileUsage read_usage_file(const model::UsageFile& file, std::string_view text);

}  // namespace hydra::adapters
