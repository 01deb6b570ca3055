#include "gui/exhibits/training_step.hpp"

namespace warpbook::gui {
namespace {
constexpr const char* kStep = "training/step";
}  // namespace

std::optional<std::uint64_t> chosen_step(const Ui& ui) {
  const int step = ui.book.choice(kStep);
  return step < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(step));
}

void choose_step(const Ui& ui, std::uint64_t step) {
  ui.post([step](Book& book) { book.choose(kStep, static_cast<int>(step)); });
}

}  // namespace warpbook::gui
