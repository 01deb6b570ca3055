#include "lessons/your-machine/cuda_versions.hpp"

#include <algorithm>
#include <charconv>

namespace warpbook::lessons {
namespace {

constexpr int kMinorCompatibilitySince = 11;  // before that, a driver ran nothing newer than itself

std::optional<int> whole(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return {};
  return value;
}

}  // namespace

std::optional<CudaVersion> cuda_version(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) return {};
  const auto major = whole(text.substr(0, dot)), minor = whole(text.substr(dot + 1));
  if (!major || !minor) return {};
  return CudaVersion{*major, *minor};
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::runs: return "runs";
    case Verdict::limited: return "limited";
    case Verdict::refused: return "refused";
  }
  __builtin_unreachable();
}

Verdict verdict_of(const CudaVersion& driver, const CudaVersion& toolkit) {
  if (driver >= toolkit) return Verdict::runs;
  return driver.major == toolkit.major && toolkit.major >= kMinorCompatibilitySince
             ? Verdict::limited
             : Verdict::refused;
}

std::optional<int> minimum_driver(int toolkit_major) {
  switch (toolkit_major) {
    case 11: return 450;
    case 12: return 525;
    case 13: return 580;
    default: return {};
  }
}

Chosen chosen_form(int capability, std::string_view targets, bool knows_ptx) {
  int machine_code = 0, ptx = 0;
  while (!targets.empty()) {
    const std::string_view target = targets.substr(0, targets.find(' '));
    targets.remove_prefix(std::min(targets.size(), target.size() + 1));
    const std::size_t line = target.find('_');
    const int number = whole(target.substr(std::min(target.size(), line + 1))).value_or(0);
    if (number > capability) continue;
    if (target.starts_with("compute_")) ptx = std::max(ptx, number);
    if (target.starts_with("sm_") && number / 10 == capability / 10)
      machine_code = std::max(machine_code, number);
  }
  if (machine_code != 0) return {Form::machine_code, "sm_" + std::to_string(machine_code)};
  if (ptx != 0)
    return {knows_ptx ? Form::ptx : Form::unknown_ptx, "compute_" + std::to_string(ptx)};
  return {};
}

}  // namespace warpbook::lessons
