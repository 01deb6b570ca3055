#include "lab/markup/json.hpp"

#include "lab/render/render.hpp"

namespace warpbook::lab {

using nlohmann::json;

json to_json(const Exhibit& exhibit, const Strings& english) {
  return JsonWriter(english)(exhibit);
}

json to_json(const Report& report, const Strings& english) {
  json document = JsonWriter(english)(report);
  document["form"] = "warpbook-report";
  document["version"] = kReportVersion;
  return document;
}

}  // namespace warpbook::lab
