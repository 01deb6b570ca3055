#include "lab/report/report.hpp"

#include <algorithm>

#include "lab/markup/json.hpp"

namespace warpbook::lab {

const Exhibit* Report::find(std::string_view id) const {
  const auto found = std::find_if(exhibits.begin(), exhibits.end(),
                                  [id](const Exhibit& exhibit) { return exhibit.id == id; });
  return found == exhibits.end() ? nullptr : &*found;
}

void extras(JsonExtras& json, const Inputs& inputs) {
  json("values", [&] { return inputs.values.all(); });
}

void extras(JsonExtras& json, const Report& report) {
  json("inputs_hash", [&] { return hash_text(report.inputs_hash); });
}

std::string run_summary(const Strings& strings, const Report& report) {
  const bool compiled = report.compile_seconds > 0;
  return strings(compiled ? "report.ran" : "report.ran-only",
                 {{"device", report.device},
                  {"compile", duration(report.compile_seconds)},
                  {"run", duration(report.run_seconds)}});
}

}  // namespace warpbook::lab
