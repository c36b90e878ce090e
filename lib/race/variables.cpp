#include "race/variables.hpp"

#include "adapters/secret_names.hpp"
#include "base/strings.hpp"
#include "race/job_parts.hpp"

#include <algorithm>
#include <array>

namespace hydra::race {
namespace {

/// Returns whether [workspace] env or env_pass names the variable.
bool is_passed(const model::WorkspaceConfig& workspace, std::string_view name) {
  const auto named = [&](std::string_view each) {
    return each.ends_with('*') ? name.starts_with(each.substr(0, each.size() - 1))
                               : each.substr(0, each.find('=')) == name;
  };
  return std::any_of(workspace.env.begin(), workspace.env.end(), named) ||
         std::any_of(workspace.env_pass.begin(), workspace.env_pass.end(), named);
}

std::string absolute_path(std::string_view variable) {
  std::vector<std::string> kept;
  for (const auto entry : split(variable, ':'))
    if (entry.starts_with('/')) kept.emplace_back(entry);
  return join(kept, ":");
}

}  // namespace

bool is_plain_variable(std::string_view name) {
  static constexpr std::array<std::string_view, 14> kNames{"PATH",
                                                           "HOME",
                                                           "LANG",
                                                           "LANGUAGE",
                                                           "USER",
                                                           "SHELL",
                                                           "LOGNAME",
                                                           "TZ",
                                                           "SSL_CERT_FILE",
                                                           "SSL_CERT_DIR",
                                                           "EDITOR",
                                                           "NODE_EXTRA_CA_CERTS",
                                                           "XDG_CONFIG_HOME",
                                                           "XDG_DATA_HOME"};
  return name.starts_with("LC_") || std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool is_network_variable(std::string_view name) {
  static constexpr std::array<std::string_view, 18> kNames{
      "HTTP_PROXY",         "HTTPS_PROXY",    "ALL_PROXY",        "NO_PROXY",       "FTP_PROXY",
      "http_proxy",         "https_proxy",    "all_proxy",        "no_proxy",       "ftp_proxy",
      "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "PIP_CERT",         "GIT_SSL_CAINFO", "CARGO_HTTP_CAINFO",
      "NPM_CONFIG_CAFILE",  "AWS_CA_BUNDLE",  "npm_config_cafile"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

bool names_certificates(std::string_view name) {
  return name == "SSL_CERT_FILE" || name == "SSL_CERT_DIR" || name == "NODE_EXTRA_CA_CERTS" ||
         (is_network_variable(name) && !name.ends_with("PROXY") && !name.ends_with("proxy"));
}

void take_environment(const std::map<std::string, std::string>& user, model::RaceSpec& spec,
                      SecretEnv& secrets) {
  const auto& workspace = spec.config.workspace;
  for (const auto& [name, value] : user) {
    const bool wanted = is_passed(workspace, name) || is_network_variable(name);
    if (is_plain_variable(name) || (wanted && !adapters::is_secret_variable(name, value))) {
      spec.environment.emplace_back(name, name == "PATH" ? absolute_path(value) : value);
    } else {
      secrets[name] = value;  // plan_launch passes only variables that a descriptor names
      spec.secret_names.push_back(name);
    }
  }
  for (const auto& each : workspace.env)
    if (const auto equals = each.find('='); equals != std::string::npos)
      detail::set(spec.environment, each.substr(0, equals), each.substr(equals + 1));
}

void pass_variables(const model::RaceSpec& spec, const SecretEnv& secrets, exec::JobSpec& job) {
  const auto& workspace = spec.config.workspace;
  const bool network = job.sandbox.network;
  if (!network) std::erase_if(job.env, [](const auto& each) { return is_network_variable(each.first); });
  const auto pass = [&](const std::string& name, const std::string& value) {
    if (is_passed(workspace, name) || (network && is_network_variable(name)))
      detail::set(job.env, name, value);
  };
  for (const auto& [name, value] : spec.environment) pass(name, value);
  for (const auto& [name, value] : secrets) pass(name, value);
}

}  // namespace hydra::race
