#include "lessons/your-machine/cuda_versions.hpp"

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

}  // namespace warpbook::lessons
