// The keys of [judges.NAME] and of [telemetry].
#include "config/schema_rules.hpp"

#include <array>

namespace hydra::config {
namespace {

#undef AT
#define AT(member) [](model::JudgeConfig& c) -> Target { return &c.member; }

const Key<model::JudgeConfig> kJudgeKeys[] = {
    {"name", AT(name), form(Form::judge_name), "", "Its name in results: a-z, 0-9 and -.", "\"reviewer\""},
    {"command", AT(command), form(Form::shell_command), "",
     "Run by sh -c in the result's tree, which it can't write to; task, diff, rubric, prompt and nonce are "
     "in "
     "$HYDRA_TASK, $HYDRA_DIFF, $HYDRA_RUBRIC, $HYDRA_PROMPT (files) and $HYDRA_NONCE. Either this or agent.",
     "\"python3 /opt/judge.py\""},
    {"agent", AT(agent), form(Form::any), "",
     "An agent that judges by the rubric: NAME or NAME=MODEL; each judgement is a run of it."},
    {"rubric", AT(rubric), form(Form::any), "", "What it judges by, in words."},
    {"stake", AT(stake), Rule{0, 1e12, true}, "", "Trust that it gets beside the others; above 0."},
    {"timeout_seconds", AT(timeout_seconds), kTime, "s", "Wall clock of one judgement; above 0."},
    {"budget_usd", AT(budget_usd), kBudgetUsd, "US dollars",
     "What all its judgements in a race may cost, looked at before each of them; 0: no limit."},
};

#undef AT
#define AT(member) [](model::TelemetryConfig& c) -> Target { return &c.member; }

const Key<model::TelemetryConfig> kTelemetryKeys[] = {
    {"telemetry.otlp_endpoint", AT(otlp_endpoint), form(Form::otlp_url), "",
     "Where each ended race is sent as OpenTelemetry traces and metrics (docs/telemetry.md), or "
     "\"environment\": to OTEL_EXPORTER_OTLP_ENDPOINT with OTEL_EXPORTER_OTLP_HEADERS. Only in your own "
     "file.",
     "\"http://127.0.0.1:4318\""},
    {"telemetry.otlp_task", AT(otlp_task), kAny, "",
     "Sends the words of the task, too. Only in your own file."},
    {"telemetry.metrics_port", AT(metrics_port), Rule{0, 65535}, "",
     "Port of 127.0.0.1 that answers GET /metrics for Prometheus; 0: none. Only in your own file."},
};

}  // namespace

std::span<const Key<model::TelemetryConfig>> telemetry_keys() { return kTelemetryKeys; }
std::span<const Key<model::JudgeConfig>> judge_keys() { return kJudgeKeys; }

}  // namespace hydra::config
