// The device in the top bar: the simulator, and the GPU that it stands for.
#include <utility>

#include "gui/controls/choice_menu.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/shell/actions.hpp"
#include "gui/shell/shell.hpp"

namespace warpbook::gui {
namespace {
/// "9.0".
std::string version_text(int compute_capability) {
  return std::to_string(compute_capability / 10) + "." + std::to_string(compute_capability % 10);
}

std::vector<MenuRow> gpu_rows(const Ui& ui) {
  std::vector<MenuRow> rows;
  for (const device::Properties& gpu : device::gpu_table()) {
    MenuRow row{gpu.name, gpu.name};
    row.note = ui.tr("gui.device.capability", {{"version", version_text(gpu.compute_capability)}});
    row.chosen = &gpu == &ui.book.gpu();
    rows.push_back(std::move(row));
  }
  return rows;
}
}  // namespace

void Shell::draw_device(const Ui& ui, float left, float right, float middle) {
  constexpr float kHalf = measure::kButton / 2, kBeforeText = 36, kAfterText = 32, kBetween = 8;
  const Ink ink = ui.ink();
  const std::string device = ui.tr("gui.device.simulator"),
                    stands = ui.tr("gui.device.as", {{"gpu", ui.book.gpu().name}});
  const Type second{Face::sans, 15, ui.theme.t3};
  const float named = ink.width(ui.label(), device) + kBetween,
              bare = kBeforeText + ink.width(second, stands) + kAfterText;
  const bool names_device = left < right - bare - named;  // else the GPU alone
  const float wide = bare + (names_device ? named : 0), x = right - wide;
  const ImVec2 min{x, middle - kHalf}, max{right, middle + kHalf};
  constexpr const char* kList = "gpus";
  const bool shown = left < x;
  if (shown) {
    if (item("device", min, max)) gpus_open_ = true;
    ink.fill(min, max, ImGui::IsItemHovered() ? ui.theme.s3 : ui.theme.s2, measure::kControlRadius);
    tip(ui, ui.tr("gui.action.gpu") + " (" + std::string(find_action("gpu")->keys) + ")");
    ink.icon(Icon::chip, {x + 19, middle}, ui.theme.t2, 16);
    if (names_device) ink.text_middle(x + kBeforeText, middle, ui.label(), device);
    ink.text_middle(x + kBeforeText + (names_device ? named : 0), middle, second, stands);
    ink.icon(Icon::chevron_down, {right - 17, middle}, ui.theme.t2, 14);
  }
  if (std::exchange(gpus_open_, false)) ImGui::OpenPopup(kList);
  if (!ImGui::IsPopupOpen(kList)) return;
  const std::vector<MenuRow> rows = gpu_rows(ui);
  if (const auto press = choice_menu(ui, kList, {shown ? x : left, max.y + 4}, rows))
    ui.post([gpu = rows[press->row].id](Book& book) { book.set_gpu(gpu); });
}

}  // namespace warpbook::gui
