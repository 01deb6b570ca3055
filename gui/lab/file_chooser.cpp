#include "gui/lab/file_chooser.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "gui/controls/tab_stops.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/exhibit.hpp"
#include "lab/text/strings.hpp"

namespace warpbook::gui {
namespace {
namespace fs = std::filesystem;
constexpr float kWidth = 560, kHeight = 440, kHead = 66, kChooserFoot = 34, kRow = 30, kSize = 90;
}  // namespace

void FileChooser::open(fs::path folder) {
  folder_ = {};
  go_to(std::move(folder));
  ImGui::OpenPopup("choose");
}

void FileChooser::go_to(fs::path folder) { wanted_ = std::move(folder); }

std::string FileChooser::says(const Ui& ui, const char* what,
                              const lab::MessageArguments& arguments) const {
  const std::string group = sort_ == FileSort::picture ? "gui.picture." : "gui.program-file.";
  return ui.tr(group + what, arguments);
}

bool FileChooser::draw_row(const Ui& ui, const char* id, float width, const std::string& name,
                           const std::string& right, bool folder) {
  const ImVec2 min = ImGui::GetCursorScreenPos(), max{min.x + width, min.y + kRow};
  const bool pressed = item(id, min, max);
  if (!ImGui::IsRectVisible(min, max)) return pressed;
  const Ink ink = ui.ink();
  if (ImGui::IsItemHovered() || ImGui::IsItemFocused())
    ink.fill(min, max, ui.theme.s4, measure::kControlRadius);
  const float middle = (min.y + max.y) / 2;
  if (folder) ink.icon(Icon::chevron_right, {min.x + 14, middle}, ui.theme.t3, 14);
  ink.text_middle(min.x + 28, middle, ui.label(), ink.fitted(ui.label(), name, width - 28 - kSize));
  ink.text_middle(max.x - 10, middle, ui.note(), right, Align::right);
  return pressed;
}

void FileChooser::draw_head(const Ui& ui, ImVec2 corner, float width) const {
  const Ink ink = ui.ink();
  ink.text_middle(corner.x, corner.y + 14, ui.label_bold(), says(ui, "title"));
  // A path that is too long is cut at its beginning, because its end says more.
  std::string path = folder_.path.string();
  const Type type = ui.figures(ui.theme.t2);
  while (ink.width(type, path) > width) {
    const std::size_t next = path.find('/', path.starts_with("…/") ? 4 : 1);
    if (next == std::string::npos) break;
    path = "…" + path.substr(next);
  }
  ink.text_middle(corner.x, corner.y + 40, type, ink.fitted(type, path, width));
}

std::optional<fs::path> FileChooser::draw_entries(const Ui& ui, float width) {
  std::optional<fs::path> chosen;
  if (folder_.path.empty()) return chosen;  // not read yet
  if (std::exchange(fresh_, false)) {
    focus_next_item();
    ImGui::SetNavCursorVisible(true);  // also after a click, to show which line Enter opens
  }
  if (folder_.path.has_relative_path() && draw_row(ui, "..", width, "..", {}, true))
    go_to(folder_.path.parent_path());
  for (const Folder::Entry& entry : folder_.entries) {
    const std::string size = entry.folder ? std::string() : lab::byte_count(entry.bytes);
    if (!draw_row(ui, entry.name.c_str(), width, entry.name, size, entry.folder)) continue;
    if (entry.folder)
      go_to(folder_.path / entry.name);
    else
      chosen = folder_.path / entry.name;
  }
  std::string note;
  if (!folder_.problem.empty())
    note = says(ui, "unread-folder", {{"why", folder_.problem}});
  else if (folder_.entries.empty())
    note = says(ui, "empty-folder");
  else if (folder_.cut)
    note = says(ui, "cut-folder", {{"count", lab::grouped(folder_.entries.size())}});
  if (!note.empty()) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float high =
        words({ui, {at.x + 28, at.y + 6}, width - 38, true}, note, ui.caption_style());
    ImGui::Dummy({width, high + 12});
  }
  return chosen;
}

std::optional<fs::path> FileChooser::draw(const Ui& ui) {
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const ImVec2 size{std::min(kWidth, viewport.Size.x - 16),
                    std::min(kHeight, viewport.Size.y - 16)};
  ImGui::SetNextWindowPos({viewport.Pos.x + (viewport.Size.x - size.x) / 2,
                           viewport.Pos.y + (viewport.Size.y - size.y) / 2});
  ImGui::SetNextWindowSize(size);
  if (!ImGui::BeginPopup("choose", ImGuiWindowFlags_NoMove)) return std::nullopt;
  if (reading_.valid() && reading_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
    folder_ = reading_.get();
    fresh_ = true;
  }
  if (!reading_.valid() && !wanted_.empty())
    reading_ = std::async(std::launch::async, [folder = std::exchange(wanted_, {}), sort = sort_] {
      return read_folder(folder, sort);
    });
  const ImVec2 at = ImGui::GetWindowPos();
  if (ui.theme.outline)
    ui.ink().outline(at, {at.x + size.x, at.y + size.y}, ui.theme.outline, measure::kPanelRadius);
  const float left = at.x + measure::kPadding, width = size.x - 2 * measure::kPadding;
  draw_head(ui, {left, at.y + 8}, width);
  ImGui::SetCursorScreenPos({left, at.y + kHead});
  std::optional<fs::path> chosen;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 1));
  // Another folder begins at its top.
  const std::string id = folder_.path.string() + "##entries";
  if (ImGui::BeginChild(id.c_str(), {width, size.y - kHead - kChooserFoot},
                        ImGuiChildFlags_NavFlattened))
    chosen = draw_entries(ui, ImGui::GetContentRegionAvail().x);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ui.ink().text_middle(left, at.y + size.y - kChooserFoot / 2, ui.note(),
                       ui.ink().fitted(ui.note(), says(ui, "keys"), width));
  if (chosen) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
  return chosen;
}

}  // namespace warpbook::gui
