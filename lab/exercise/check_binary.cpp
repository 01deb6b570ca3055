#include "lab/exercise/check_binary.hpp"

#include <cstdint>
#include <utility>

#include "device/wire/bytes.hpp"
#include "lab/report/binary.hpp"

namespace warpbook::lab {
namespace {

/// A CheckReport, its report in the binary form.
struct Written {
  bool graded = false, passed = false;
  std::int32_t points = 0, points_possible = 0;
  std::string report;
};
template <class V>
void fields(V&& visit, device::Is<Written> auto& v) {
  visit("graded", v.graded);
  visit("passed", v.passed);
  visit("points", v.points);
  visit("points_possible", v.points_possible);
  visit("report", v.report);
}

}  // namespace

std::string to_binary(const CheckReport& checked) {
  return device::to_bytes(Written{checked.graded, checked.passed, checked.points,
                                  checked.points_possible, to_binary(checked.report)});
}

std::optional<CheckReport> check_report_from_binary(std::string_view bytes) {
  const auto written = device::from_bytes<Written>(bytes);
  if (!written) return {};
  auto report = report_from_binary(written->report);
  if (!report) return {};
  CheckReport checked;
  checked.graded = written->graded;
  checked.passed = written->passed;
  checked.points = written->points;
  checked.points_possible = written->points_possible;
  checked.report = std::move(*report);
  return checked;
}

}  // namespace warpbook::lab
