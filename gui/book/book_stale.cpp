// What is said of results that are not of what is set and written now.
#include <string>
#include <utility>
#include <vector>

#include "gui/book/book.hpp"
#include "lab/markup/phrases.hpp"

namespace warpbook::gui {
namespace {
/// "of T4", or of the version before where it is no GPU that made the difference.
std::string of_gpu(const lab::Strings& strings, const std::string& gpu) {
  const device::Properties* known = device::find_gpu(gpu);
  return known ? strings("gui.stale-gpu", {{"gpu", known->name}}) : strings("gui.stale");
}

/// "n = 8, block = 4": the values of `before` that are others in `now`.
std::string values_before(const lab::Inputs& before, const lab::Inputs& now) {
  std::vector<std::pair<std::string, std::string>> settings;
  for (const auto& [name, value] : before.values.all()) {
    const lab::Value* other = now.values.find(name);
    if (other && *other != value) settings.emplace_back(name, lab::to_text(value));
  }
  return lab::settings_text(settings);
}
}  // namespace

std::string Book::stale_reason(const ExerciseAttempt& checked) const {
  return of_gpu(*strings_, checked.gpu_before());
}

std::string Book::stale_reason() const {
  if (const ExerciseAttempt* at_work = active_attempt()) return stale_reason(*at_work);
  if (!stale() || !lesson_)  // variants, which only another GPU makes stale
    return of_gpu(*strings_, earlier_gpu_ == inputs_.gpu ? std::string() : earlier_gpu_);
  const lab::Inputs before = inputs_of(*report_);
  if (before.sources != inputs_.sources) return (*strings_)("gui.stale");
  if (before.gpu != inputs_.gpu) return of_gpu(*strings_, before.gpu);
  const std::string values = values_before(before, inputs_);
  return values.empty() ? (*strings_)("gui.stale")
                        : (*strings_)("gui.stale-values", {{"values", values}});
}

}  // namespace warpbook::gui
