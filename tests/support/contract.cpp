#include "support/contract.hpp"

#include "support/places.hpp"
#include "support/process.hpp"

#include <algorithm>
#include <set>
#include <sstream>

namespace hydra::e2e {
namespace {

using Json = nlohmann::json;
using Lines = std::vector<std::string>;

bool has_type(const Json& value, const std::string& type) {
  if (type == "null") return value.is_null();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "string") return value.is_string();
  if (type == "array") return value.is_array();
  return type == "object" && value.is_object();
}

bool any_type(const Json& types, const Json& value) {
  if (types.is_string()) return has_type(value, types.get<std::string>());
  return std::any_of(types.begin(), types.end(),
                     [&](const Json& type) { return has_type(value, type.get<std::string>()); });
}

void add(Lines& all, const Lines& more) { all.insert(all.end(), more.begin(), more.end()); }

Lines object_misfits(const Json& schema, const Json& value, const std::string& where) {
  Lines found;
  const auto properties = schema.value("properties", Json::object());
  const auto more = schema.value("additionalProperties", Json(true));
  for (const auto& name : schema.value("required", Json::array()))
    if (!value.contains(name.get<std::string>()))
      found.push_back(where + ": lacks " + name.get<std::string>());
  for (const auto& [name, member] : value.items()) {
    if (properties.contains(name))
      add(found, misfits(properties[name], member, where + "." + name));
    else if (more == false)
      found.push_back(where + ": unknown member " + name);
    else if (more.is_object())
      add(found, misfits(more, member, where + "." + name));
  }
  return found;
}

Lines one_of_misfits(const Json& choices, const Json& value, const std::string& where) {
  Lines all;
  for (const auto& choice : choices) {
    const auto found = misfits(choice, value, where);
    if (found.empty()) return {};
    add(all, found);
  }
  all.insert(all.begin(), where + ": fits none of " + std::to_string(choices.size()));
  return all;
}

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;  // an empty one at the end counts, too
  std::stringstream stream(path + "/");
  for (std::string part; std::getline(stream, part, '/');) parts.push_back(part);
  return parts;
}

bool fits_path(const std::string& pattern, const std::string& path) {
  const auto a = parts_of(pattern), b = parts_of(path);
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i] && !a[i].starts_with('{')) return false;
  return true;
}

const Json* operation_of(const std::string& method, const std::string& path) {
  for (const auto& [pattern, operations] : openapi()["paths"].items())
    if (fits_path(pattern, path) && operations.contains(method)) return &operations[method];
  return nullptr;
}

}  // namespace

const Json& openapi() {
  static const Json document = Json::parse(slurp(places::source("/docs/openapi.json")));
  return document;
}

Lines misfits(const Json& schema, const Json& value, const std::string& where) {
  static const std::set<std::string> kKnown{"$ref",       "type",     "enum",   "const",
                                            "properties", "required", "items",  "additionalProperties",
                                            "oneOf",      "minimum",  "maximum"};
  if (const auto ref = schema.find("$ref"); ref != schema.end())
    return misfits(openapi().at(Json::json_pointer(ref->get<std::string>().substr(1))), value, where);
  Lines found;
  for (const auto& [keyword, what] : schema.items())
    if (!kKnown.contains(keyword)) found.push_back(where + ": nobody checks " + keyword);
  if (schema.contains("oneOf")) add(found, one_of_misfits(schema["oneOf"], value, where));
  if (schema.contains("const") && schema["const"] != value)
    found.push_back(where + ": is " + value.dump() + ", not " + schema["const"].dump());
  if (const auto list = schema.find("enum");
      list != schema.end() && std::find(list->begin(), list->end(), value) == list->end())
    found.push_back(where + ": " + value.dump() + " is none of " + list->dump());
  if (schema.contains("type") && !any_type(schema["type"], value)) {
    found.push_back(where + ": " + value.dump().substr(0, 100) + " is no " + schema["type"].dump());
    return found;
  }
  if (value.is_number() && schema.contains("minimum") && value < schema["minimum"])
    found.push_back(where + ": " + value.dump() + " is too small");
  if (value.is_number() && schema.contains("maximum") && value > schema["maximum"])
    found.push_back(where + ": " + value.dump() + " is too large");
  if (value.is_object()) add(found, object_misfits(schema, value, where));
  if (value.is_array() && schema.contains("items"))
    for (std::size_t i = 0; i < value.size(); ++i)
      add(found, misfits(schema["items"], value[i], where + "[" + std::to_string(i) + "]"));
  return found;
}

Lines misfits_of_answer(const std::string& method, const std::string& path, int status,
                        const std::string& type, const std::string& body) {
  const auto* operation = operation_of(method, path);
  if (operation == nullptr) return {method + " " + path + " is not documented"};
  const auto& responses = operation->at("responses");
  const auto word = std::to_string(status);
  if (status < 400 && !responses.contains(word))
    return {method + " " + path + ": " + word + " is not documented"};
  const auto& content = responses.at(responses.contains(word) ? word : "default").at("content");
  const auto plain = type.substr(0, type.find(';'));
  if (!content.contains(plain)) return {method + " " + path + ": " + type + " is not documented"};
  if (plain != "application/json") return {};
  return misfits(content[plain]["schema"], Json::parse(body, nullptr, false), method + " " + path);
}

std::string misfits_of(const std::string& schema, const Json& value) {
  std::string text;
  for (const auto& line : misfits({{"$ref", "#/components/schemas/" + schema}}, value, schema))
    text += line + "\n";
  return text;
}

}  // namespace hydra::e2e
