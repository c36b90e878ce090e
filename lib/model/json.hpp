// model: the nouns as JSON text. The only room below `race` that uses the JSON library, which no header
// exposes.
#pragma once

#include "base/result.hpp"
#include "model/event.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace hydra::model {

/// Returns an event body as a JSON object, without its kind.
std::string to_json(const EventBody& body);
/// Parses the body of a stored event; `protocol` for unknown kinds or wrong shapes.
Result<EventBody> event_from_json(std::string_view kind, std::string_view json);

/// Returns the event with each text rewritten, except below members for which `kept` is true.
EventBody with_texts(EventBody body, const std::function<bool(std::string_view)>& kept,
                     const std::function<void(std::string&)>& rewrite);
/// Returns the list of tests in an event, whose names to_json() writes in parts; null: none.
TestList* tests_in(EventBody& body);

std::string to_json(const ArenaFigures& figures);
Result<ArenaFigures> arena_figures_from_json(std::string_view json);

std::string to_json(const CheckSet& checks);
Result<CheckSet> check_set_from_json(std::string_view json);

}  // namespace hydra::model
