// What frames the book: top bar, chapter list, status bar, toasts, settings.
#include <algorithm>
#include <cmath>

#include "gui/controls/widgets.hpp"
#include "gui/exhibits/exhibit.hpp"
#include "gui/shell/actions.hpp"
#include "gui/shell/shell.hpp"

namespace warpbook::gui {
namespace {
std::string keys_of(std::string_view id) {
  const Action* action = find_action(id);
  return action ? std::string(action->keys) : std::string();
}
}  // namespace

void Shell::draw_top_bar(const Ui& ui, ImVec2 corner, float width) {
  const Ink ink = ui.ink();
  const float middle = corner.y + measure::kTopBar / 2;
  ink.icon(Icon::logo, {corner.x + 28, middle}, ui.theme.t1, 20, ui.theme.accent);
  ink.text_middle(corner.x + 50, middle, {Face::bold, 17, ui.theme.t1}, "Warpbook");

  float right = corner.x + width - 12;
  const auto take = [&](float wide) { return right -= wide; };
  if (icon_button(ui, "settings", {take(32), middle - 16}, Icon::gear, ui.tr("gui.settings.title"),
                  32))
    settings_open_ = true;
  right -= 8;

  const ExerciseAttempt* attempt = ui.book.active_attempt();
  static constexpr Icon kPlay = Icon::play, kStop = Icon::stop;
  const bool running = attempt ? attempt->progress().running
                               : (ui.book.progress().running && ui.book.progress().seconds > 0.2);
  const std::string label =
      running ? ui.tr("gui.cancel") : ui.tr(attempt ? "gui.exercise.check" : "gui.run");
  const std::string keys = running ? "Esc" : keys_of("run");
  const ButtonLook look{ButtonKind::primary, measure::kButton, running ? &kStop : &kPlay, 0, keys};
  const float wide = button_width(ui, label, look);
  if (button(ui, "run", {take(wide), middle - 16}, label, look)) {
    ui.post([running](Book& book) { running ? book.cancel() : book.run_now(); });
  }
  right -= 8;
  const std::string live = ui.tr("gui.live");
  const float live_wide = 60 + ink.width(ui.label(), live);
  if (toggle(ui, "live", {take(live_wide), middle - 16}, live, ui.book.live())) {
    ui.post([](Book& book) { book.set_live(!book.live()); });
  }
  right -= 8;
  draw_device(ui, corner.x + 160, right, middle);
}

void Shell::draw_list(const Ui& ui, ImVec2 corner, ImVec2 size, bool rail) {
  const Ink ink = ui.ink();
  float y = corner.y + 8;
  if (icon_button(ui, "fold list", {corner.x + 8, y}, Icon::list,
                  ui.tr(rail ? "gui.list.open" : "gui.list.fold") + " (" + keys_of("list") + ")",
                  32)) {
    toggle_list();
  }
  if (!rail) ink.text_middle(corner.x + 48, y + 16, ui.note(), ui.tr("gui.list.title"));
  y += 40;
  int number = 0;
  for (const ChapterEntry& entry : ui.book.chapters()) {
    ++number;
    const bool current = ui.book.lesson() && ui.book.lesson()->slug == entry.slug;
    const ImVec2 min{corner.x + 8, y}, max{corner.x + size.x - 8, y + measure::kListRow};
    ImGui::PushID(entry.slug.c_str());
    const bool pressed = item("chapter", min, max);
    const bool hovered = ImGui::IsItemHovered();
    if (rail) tip(ui, entry.title);
    ImGui::PopID();
    if (current) {
      ink.fill(min, max, ui.theme.accent_tint, measure::kControlRadius);
    } else if (hovered) {
      ink.fill(min, max, ui.theme.s3, measure::kControlRadius);
    }
    const float middle = (min.y + max.y) / 2;
    const Type digits{Face::mono, 13, current ? ui.theme.accent_text : ui.theme.t3};
    if (rail) {
      ink.text_middle((min.x + max.x) / 2, middle, digits, std::to_string(number), Align::centre);
    } else {
      ink.text_middle(min.x + 20, middle, digits, std::to_string(number), Align::right);
      const Type title{current ? Face::bold : Face::sans, 15, current ? ui.theme.t1 : ui.theme.t2};
      ink.text_middle(min.x + 32, middle, title,
                      ink.fitted(title, entry.title, max.x - min.x - 60));
      if (current) {  // the circle fills as questions are answered
        std::size_t asked = 0, answered = 0;
        for (const lab::DocumentNode& node : ui.book.document().nodes) {
          const auto* predict = std::get_if<lab::PredictDirective>(&node);
          if (!predict) continue;
          ++asked;
          answered += ui.book.answered(predict->id) ? 1 : 0;
        }
        const ImVec2 at{max.x - 18, middle};
        if (asked > 0 && answered == asked) {
          ink.icon(Icon::check, at, ui.theme.ok, 14, ui.theme.accent_tint);
        } else {
          ink.ring(at, 5.5f, ui.theme.s5, ui.theme.accent, 0,
                   asked ? static_cast<float>(answered) / static_cast<float>(asked) : 0);
        }
      }
    }
    if (pressed && !current) ui.post([slug = entry.slug](Book& book) { book.open(slug); });
    y += measure::kListRow;
  }
  y += measure::kGap;
  const ImVec2 min{corner.x + 8, y}, max{corner.x + size.x - 8, y + measure::kListRow};
  if (item("glossary", min, max)) toggle_glossary();
  const std::string words = ui.tr("gui.glossary.title");
  if (glossary_.is_open() || ImGui::IsItemHovered())
    ink.fill(min, max, glossary_.is_open() ? ui.theme.accent_tint : ui.theme.s3,
             measure::kControlRadius);
  tip(ui, rail ? words + " (" + keys_of("glossary") + ")" : keys_of("glossary"));
  const float middle = (min.y + max.y) / 2;
  const Type letters{Face::bold, 13, glossary_.is_open() ? ui.theme.accent_text : ui.theme.t3};
  if (rail) {
    ink.text_middle((min.x + max.x) / 2, middle, letters, "Aa", Align::centre);
  } else {
    ink.text_middle(min.x + 22, middle, letters, "Aa", Align::right);
    ink.text_middle(min.x + 32, middle, {Face::sans, 15, ui.theme.t2}, words);
  }
}

void Shell::draw_status_bar(const Ui& ui, ImVec2 corner, float width) {
  const Ink ink = ui.ink();
  const float middle = corner.y + measure::kStatusBar / 2 - 1;
  float right = corner.x + width - 16;
  const auto note = [&](const std::string& text) {
    if (text.empty()) return;
    const std::string shown = ink.fitted(ui.note(), text, width / 2);
    ink.text_middle(right, middle, ui.note(), shown, Align::right);
    right -= ink.width(ui.note(), shown) + 22;
  };
  note(saved_);
  const auto report = ui.book.report();
  if (report && !ui.book.stale()) {
    note(ui.tr("gui.status.ran", {{"time", lab::duration(report->run_seconds)}}));
    if (report->compile_seconds > 0)
      note(ui.tr("gui.status.compiled", {{"time", lab::duration(report->compile_seconds)}}));
  }
  const std::string quiet = notice_.empty() ? ui.tr("gui.status.no-gpu") : notice_;
  ink.text_middle(corner.x + 16, middle, ui.note(),
                  ink.fitted(ui.note(), quiet, right - corner.x - 40));
}

void Shell::draw_toasts(const Ui& ui, ImVec2 corner) {
  constexpr float kWidest = 560, kIcon = 40, kLine = 22, kOneLine = 44;
  float bottom = corner.y;
  int number = 0;
  for (const Toast& toast : ui.book.toasts()) {
    const ButtonLook look{ButtonKind::quiet, measure::kCardButton};
    const float action = toast.action.empty() ? 0 : button_width(ui, toast.action, look) + 8;
    const float said = ui.ink().width(ui.label(), toast.text) + 2;
    const float room = std::min(said, kWidest - kIcon - 20 - action),
                wide = kIcon + room + 20 + action;
    const ParagraphStyle style{15, kLine, Face::sans, Face::bold, ui.theme.t1, 0};
    const float high =
        std::max(kOneLine, words({ui, {0, 0}, room, false}, toast.text, style) + kLine);
    ImGui::SetNextWindowPos({corner.x - wide, bottom - high});
    ImGui::SetNextWindowSize({wide, high});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.theme.s3);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, measure::kPanelRadius);
    const std::string id = "toast " + std::to_string(number++);
    constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                        ImGuiWindowFlags_NoSavedSettings |
                                        ImGuiWindowFlags_NoFocusOnAppearing;
    if (ImGui::Begin(id.c_str(), nullptr, kFlags)) {
      const Ink ink = ui.ink();
      const ImVec2 at = ImGui::GetWindowPos();
      const bool ok = toast.kind == Toast::Kind::ok, bad = toast.kind == Toast::Kind::bad;
      const Colour colour = ok ? ui.theme.ok : bad ? ui.theme.bad : ui.theme.accent;
      if (ui.theme.outline) ink.outline(at, {at.x + wide, at.y + high}, ui.theme.outline);
      ink.fill(at, {at.x + measure::kAccentBar, at.y + high}, colour, 2);
      ink.icon(ok    ? Icon::check
               : bad ? Icon::cross
                     : Icon::speech,
               {at.x + 22, at.y + kOneLine / 2}, colour, 16, ui.theme.s3);
      words({ui, {at.x + kIcon, at.y + kLine / 2}, room, true}, toast.text, style);
      if (!toast.action.empty()) {
        if (button(ui, "act", {at.x + wide - action, at.y + 9}, toast.action, look))
          ui.post(toast.act);
      }
    }
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    bottom -= high + measure::kGap;
  }
}

void Shell::draw_settings(const Ui& ui) {
  if (settings_open_) {
    ImGui::OpenPopup("settings");
    settings_open_ = false;
  }
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(
      {viewport.Pos.x + viewport.Size.x - 360, viewport.Pos.y + measure::kTopBar + 2});
  constexpr float kShortcut = 22;
  const float shortcuts = kShortcut * static_cast<float>(actions().size());
  ImGui::SetNextWindowSize({348, 200 + shortcuts});
  if (!ImGui::BeginPopup("settings")) return;
  const Ink ink = ui.ink();
  const ImVec2 at = ImGui::GetWindowPos();
  float y = at.y + 14;
  const auto row = [&](const char* label, auto&& options) {
    ink.text_middle(at.x + 16, y + 14, ui.label(), ui.tr(label));
    float x = at.x + 110;
    for (const auto& [id, text, chosen, act] : options) {
      const ButtonLook look{ButtonKind::plain, 28, nullptr, 0, {}, false, chosen};
      if (button(ui, id, {x, y}, text, look)) act();
      x += button_width(ui, text, look) + 4;
    }
    y += 40;
  };
  struct Option {
    const char* id;
    std::string text;
    bool chosen;
    std::function<void()> act;
  };
  const auto theme = [&](const char* name) {
    return Option{name, ui.tr(std::string("gui.settings.") + name), ui.book.theme() == name,
                  [&ui, name] { ui.post([name](Book& book) { book.set_theme(name); }); }};
  };
  row("gui.settings.theme", std::vector{theme("dark"), theme("light"), theme("contrast")});
  const auto language = [&](const char* id, const char* name, lab::Language which) {
    return Option{id, name, ui.book.language() == which,
                  [&ui, which] { ui.post([which](Book& book) { book.set_language(which); }); }};
  };
  row("gui.settings.language", std::vector{language("en", "English", lab::Language::english),
                                           language("zh", "中文", lab::Language::chinese)});
  const std::string percent = std::to_string(std::lround(zoom_ * 100)) + " %";
  const auto motion = [&](const char* name, bool reduced) {
    return Option{
        name, ui.tr(std::string("gui.settings.") + name), ui.book.reduced_motion() == reduced,
        [&ui, reduced] { ui.post([reduced](Book& b) { b.set_reduced_motion(reduced); }); }};
  };
  row("gui.settings.motion",
      std::vector{motion("motion-full", false), motion("motion-none", true)});
  row("gui.settings.zoom",
      std::vector{Option{"smaller", "–", false, [this] { set_zoom(zoom_ - 0.1f); }},
                  Option{"as made", percent, false, [this] { set_zoom(1); }},
                  Option{"larger", "+", false, [this] { set_zoom(zoom_ + 0.1f); }}});
  for (const Action& action : actions()) {
    ink.text_middle(at.x + 16, y + 10, ui.note(), ui.tr("gui.action." + std::string(action.id)));
    ink.text_middle(at.x + 332, y + 10, ui.note(), std::string(action.keys), Align::right);
    y += kShortcut;
  }
  ImGui::EndPopup();
}

}  // namespace warpbook::gui
