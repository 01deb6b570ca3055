#include "lab/render/json_parts.hpp"

#include <cmath>

#include "lab/unicode.hpp"

namespace warpbook::lab {

using nlohmann::json;

json json_text(std::string_view text) { return valid_utf8(text); }

json json_number(double value) { return std::isfinite(value) ? json(value) : json(number(value)); }

json json_of(const device::SourcePlace& place) {
  return {{"file", json_text(place.file)}, {"line", place.line}, {"column", place.column}};
}

json json_of(const device::Dim3& dim) { return json::array({dim.x, dim.y, dim.z}); }

json json_of(const device::Provenance& provenance) {
  return {{"source", name_of(provenance.evidence)},
          {"on", json_text(provenance.on)},
          {"when", json_text(provenance.when)}};
}

json json_of(const device::Counters& counters) {
  json object = json::object();
  for_each_counter(counters, [&](std::string_view name, std::uint64_t value) {
    object[std::string(name)] = value;
  });
  return object;
}

std::string_view severity_name(device::Severity severity) {
  switch (severity) {
    case device::Severity::note: return "note";
    case device::Severity::remark: return "remark";
    case device::Severity::warning: return "warning";
    case device::Severity::error: return "error";
  }
  __builtin_unreachable();
}

}  // namespace warpbook::lab
