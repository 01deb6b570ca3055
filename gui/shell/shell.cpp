// One class, in the order in which a frame draws it.
#include "gui/shell/shell.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "gui/controls/choice_menu.hpp"
#include "gui/controls/region.hpp"
#include "gui/controls/widgets.hpp"
#include "gui/exhibits/exhibit.hpp"
#include "gui/present/scale.hpp"
#include "gui/present/vote_chart.hpp"
#include "gui/shell/actions.hpp"
#include "gui/shell/page_error.hpp"
#include "lab/text/pinyin.hpp"
#include "lab/text/unicode.hpp"

#include <imgui_internal.h>

namespace warpbook::gui {
namespace {
/// Widths of the document at the divider's stops, before a wide window adds to them; and what dragging allows.
constexpr float kReadDocument = 560, kLabDocument = 400, kWidestDocument = 720, kLeastDocument = 80;
/// In a narrow window the document has at most these shares of what is beside the list.
constexpr float kReadShare = 0.467f, kLabShare = 0.4f;
/// Below this width text and lab take turns; from this width on the list of chapters is open by itself.
constexpr float kOneColumn = 860, kWideList = 1400;
constexpr float kTabs = 40, kTrack = 44, kFindButton = 34;

constexpr std::array<std::string_view, 3> kStopNames{"read", "lab", "lab-only"};

/// How many of a chapter's questions and exercises are done: a ring that fills, and then a check mark. Of a chapter that is
/// not open and has not been begun: nothing.
void draw_done(const Ui& ui, ImVec2 at, const ChapterEntry& entry, bool current) {
  const std::size_t done = ui.book.done(entry);
  if (done == 0 && !current) return;
  if (done > 0 && done == entry.tasks) {
    ui.ink().icon(Icon::check, at, ui.theme.ok, 14, current ? ui.theme.accent_tint : ui.theme.s0);
  } else {
    ui.ink().ring(
        at, 5.5f, ui.theme.s5, ui.theme.accent, 0,
        static_cast<float>(done) / static_cast<float>(std::max<std::size_t>(1, entry.tasks)));
  }
}

/// A row of the list of chapters; `rail`: its number alone.
void draw_chapter(const Ui& ui, ImVec2 min, ImVec2 max, const ChapterEntry& entry,
                  std::size_t number, bool rail) {
  const Ink ink = ui.ink();
  const bool opened = ui.book.lesson() && ui.book.lesson()->slug == entry.slug;
  const bool current = opened && !ui.book.program_open();
  ImGui::PushID(entry.slug.c_str());
  const bool pressed = item("chapter", min, max);
  const bool hovered = ImGui::IsItemHovered();
  if (rail) tip(ui, entry.title);
  ImGui::PopID();
  if (current || hovered)
    ink.fill(min, max, current ? ui.theme.accent_tint : ui.theme.s3, measure::kControlRadius);
  const float middle = (min.y + max.y) / 2;
  const Type digits{Face::mono, 13, current ? ui.theme.accent_text : ui.theme.t3};
  if (rail) {
    ink.text_middle((min.x + max.x) / 2, middle, digits, std::to_string(number), Align::centre);
  } else {
    ink.text_middle(min.x + 20, middle, digits, std::to_string(number), Align::right);
    const Type title{current ? Face::bold : Face::sans, 15, current ? ui.theme.t1 : ui.theme.t2};
    ink.text_middle(min.x + 32, middle, title, ink.fitted(title, entry.title, max.x - min.x - 60));
    draw_done(ui, {max.x - 18, middle}, entry, current);
  }
  if (!pressed || current) return;
  ui.post([slug = entry.slug, opened](Book& book) {
    book.close_program_page();
    if (!opened) book.open(slug);
  });
}

/// A row of the list below the chapters: a few letters instead of a number, and a title. True when pressed.
struct PageRow {
  const char* id;
  std::string_view letters, action;
  std::string title;
  bool open = false;
};
bool draw_page_row(const Ui& ui, ImVec2 min, ImVec2 max, const PageRow& row, bool rail) {
  const Ink ink = ui.ink();
  const bool pressed = item(row.id, min, max);
  if (row.open || ImGui::IsItemHovered())
    ink.fill(min, max, row.open ? ui.theme.accent_tint : ui.theme.s3, measure::kControlRadius);
  tip(ui, rail ? ui.with_keys(row.title, row.action) : std::string(ui.keys_of(row.action)));
  const float middle = (min.y + max.y) / 2;
  const Type letters{Face::bold, 13, row.open ? ui.theme.accent_text : ui.theme.t3};
  if (rail) {
    ink.text_middle((min.x + max.x) / 2, middle, letters, row.letters, Align::centre);
  } else {
    ink.text_middle(min.x + 22, middle, letters, row.letters, Align::right);
    ink.text_middle(min.x + 32, middle, {Face::sans, 15, ui.theme.t2}, row.title);
  }
  return pressed;
}

/// "9.0" of 90.
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

/// The chapter behind the one that is open; null behind the last one.
const ChapterEntry* chapter_after(const Book& book) {
  const auto& chapters = book.chapters();
  const auto now = std::ranges::find(chapters, book.lesson() ? book.lesson()->slug : std::string(),
                                     &ChapterEntry::slug);
  return now == chapters.end() || now + 1 == chapters.end() ? nullptr : &*(now + 1);
}

constexpr ImGuiKeyChord kShiftSpace = ImGuiMod_Shift | ImGuiKey_Space;
constexpr float kWholeText = 1e6f;  // farther than any text is long

/// Whether it is a child window with that in its name, or in one.
bool is_in(const ImGuiWindow& window, std::string_view name) {
  return std::string_view(window.Name).find(name) != std::string_view::npos;
}

constexpr float kBelowTop = 18;  // the connector meets a panel or card at the middle of its header
constexpr float kPin = 18;

/// A line from `from` to x = `gap`, along the gap to the height of `to`, and on to `to`, with rounded corners.
void elbow(const Ink& ink, ImVec2 from, float gap, ImVec2 to, Colour colour) {
  ImDrawList* list = ink.list();
  const float down = to.y > from.y ? 1.0f : -1.0f;
  const float radius = std::min(6.0f, std::abs(to.y - from.y) / 2);
  list->PathLineTo(from);
  list->PathLineTo({gap - radius, from.y});
  list->PathBezierQuadraticCurveTo({gap, from.y}, {gap, from.y + down * radius});
  list->PathLineTo({gap, to.y - down * radius});
  list->PathBezierQuadraticCurveTo({gap, to.y}, {gap + radius, to.y});
  list->PathLineTo(to);
  list->PathStroke(colour, 1.5f);
  list->AddCircleFilled({from.x + 3, from.y}, 3, colour);
}
}  // namespace

// ---- One frame ----------------------------------------------------------------------------------

void Shell::frame(Book& book, const Fonts& fonts, double time) {
  const Theme& theme = theme_named(book.theme());
  if (theme_ != &theme) {
    theme_ = &theme;
    apply(theme, ImGui::GetStyle());
  }
  paragraphs_.next_frame();
  motion_.next_frame(time, book.reduced_motion());
  figures_.next_frame(book.shown_version());
  pictures_.next_frame();
  const Ui ui{book,   theme,     fonts,   paragraphs_, posts_,  motion_,  figures_,
              boxes_, pictures_, keys_of, time,        typing_, in_words_};
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(viewport.Pos);
  ImGui::SetNextWindowSize(viewport.Size);
  constexpr ImGuiWindowFlags kHost =
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
      ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse;
  if (ImGui::Begin("book", nullptr, kHost)) {
    handle_keys(ui);
    if (lecture_.on())
      draw_lecture(ui, viewport.Pos, viewport.Size);
    else
      draw_regions(ui, viewport.Pos, viewport.Size);
  }
  ImGui::End();
  typing_ = ImGui::GetIO().WantTextInput;

  follow_closed(book);
  follow_pressed_links(ui, book);
  follow_finder(ui, book);
  follow_reading(book);
  const bool changes = !posts_.empty();
  posts_.apply(book);
  follow_lecture(book);
  const bool linked = book.link.next_frame();
  std::erase_if(book.toasts(), [&](const Toast& toast) { return toast.until < book.now(); });
  const ExerciseAttempt* attempt = book.active_attempt();
  busy_ = motion_.moving() || changes || linked || document_.settling() || glossary_.settling() ||
          present_view_.settling();
  waiting_ = book.progress().running || (attempt && attempt->progress().running) ||
             book.my_program().progress().running;
}

void Shell::draw_regions(const Ui& ui, ImVec2 at, ImVec2 size) {
  draw_top_bar(ui, at, size.x);
  const float top = at.y + measure::kTopBar, bottom = at.y + size.y - measure::kStatusBar;
  list_shown_ = list_chosen_ ? list_open_ : size.x >= kWideList;
  const float list = list_shown_ ? measure::kListWidth : measure::kRailWidth;
  draw_list(ui, {at.x, top}, {list, bottom - top}, !list_shown_);
  one_column_ = size.x < kOneColumn;
  make_room(ui.book);
  const ImVec2 corner{at.x + list, top}, room{size.x - list, bottom - top};
  if (ui.book.program_open()) {
    draw_program(ui, corner, room);
  } else if (one_column_) {
    draw_one_column(ui, corner, room);
  } else {
    draw_two_columns(ui, corner, room);
  }
  draw_status_bar(ui, {at.x, bottom}, size.x);
  draw_toasts(ui, {at.x + size.x - 16, bottom - 12});
  draw_settings(ui);
  finder_.draw(ui, lecture_);
}

void Shell::draw_lecture(const Ui& ui, ImVec2 at, ImVec2 size) {
  constexpr float kNotes = 0.34f;  // of the width
  const bool notes = notes_wanted() && !notes_elsewhere_;
  const ImVec2 room{std::floor(size.x * (notes ? 1 - kNotes : 1)), size.y - PresentView::kFoot};
  one_column_ = room.x < kOneColumn;
  make_room(ui.book);
  const bool filled = present_view_.draw_enlarged(ui, lecture_, at, room);
  const bool no_text = lecture_.screen().first == lecture_.screen().last;
  if (!filled && no_text) {
    draw_lab(ui, at, room);
  } else if (!filled && one_column_) {
    draw_one_column(ui, at, room);
  } else if (!filled) {
    draw_two_columns(ui, at, room);
  }
  present_view_.draw_foot(ui, lecture_, {at.x, at.y + room.y}, size.x);
  if (notes) draw_notes(ui, {at.x + room.x, at.y}, {size.x - room.x, room.y});
  present_view_.draw_over(ui, lecture_, filled || lecture_.voting() ? nullptr : &lab_, at, size);
  draw_toasts(ui, {at.x + size.x - 16, at.y + room.y - 12});
  draw_settings(ui);
  finder_.draw(ui, lecture_);
}

void Shell::draw_notes(const Ui& ui, ImVec2 corner, ImVec2 size) {
  if (!notes_elsewhere_) {
    notes_view_.draw(ui, lecture_, votes_file_, corner, size);
    return;
  }
  ImGui::SetNextWindowPos(corner);
  ImGui::SetNextWindowSize(size);
  constexpr ImGuiWindowFlags kFlags =
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
  if (ImGui::Begin("notes of the lecture", nullptr, kFlags) && lecture_.on())
    notes_view_.draw(ui, lecture_, votes_file_, corner, size);
  ImGui::End();
}

double Shell::seconds_to_change(const Book& book) const {
  const double toasts = book.seconds_to_change();
  const bool ticks = notes_wanted() || lecture_.countdown(book.now()).value_or(0) > 0;
  if (!ticks) return toasts;
  const double seconds = lecture_.seconds(book.now());
  return std::min(toasts, std::floor(seconds) + 1 - seconds);
}

void Shell::draw_votes(const Ui& ui, ImVec2 corner, ImVec2 size) {
  const lab::PredictDirective* asked = lecture_.question(ui.book);
  const Poll* poll = lecture_.poll();
  if (!asked || !poll) return;
  const bool revealed = lecture_.counts_shown(ui.book);
  const ChartPress press = vote_chart(ui, corner, size, *poll, *asked, revealed,
                                      revealed ? ui.book.right_value(*asked) : std::nullopt);
  if (press.choice)
    ui.post([this, choice = *press.choice](Book&) { lecture_.select_choice(choice); });
}

void Shell::follow_lecture(Book& book) {
  lecture_.follow(book);
  if (std::exchange(screen_shown_, lecture_.shown()) == lecture_.shown()) return;
  if (!lecture_.on()) {
    document_.show_part({});
    return;
  }
  const Screen& screen = lecture_.screen();
  document_.show_part(DocumentView::Part{screen.first, screen.last});
  // Where a demo asks for a question, what precedes it in the chapter gives way.
  if (const lab::DemoScreen* prepared = lecture_.prepared();
      prepared && !prepared->question.empty())
    document_.go_to_question(prepared->question);
  book.follow_comparison(std::nullopt);
}

void Shell::draw_one_column(const Ui& ui, ImVec2 corner, ImVec2 size) {
  draw_tabs(ui, corner);
  const ImVec2 below{corner.x, corner.y + kTabs}, room{size.x, size.y - kTabs};
  if (lab_tab_ || glossary_.is_open()) {
    draw_lab(ui, below, room);
  } else {
    draw_document(ui, below, room);
  }
}

void Shell::draw_program(const Ui& ui, ImVec2 corner, ImVec2 size) {
  constexpr float kGlossary = 420;
  const bool beside = glossary_.is_open();
  const float glossary = !beside ? 0 : one_column_ ? size.x : kGlossary;
  if (beside)
    region("glossary", {corner.x + size.x - glossary, corner.y}, {glossary, size.y}, 0, 0,
           [&] { glossary_.draw(ui); });
  if (glossary < size.x)
    region("program", corner, {size.x - glossary, size.y}, 0, 0, [&] {
      program_.draw(ui, corner, {size.x - glossary, size.y});
    });
}

void Shell::draw_two_columns(const Ui& ui, ImVec2 corner, ImVec2 size) {
  const float extra = std::max(0.0f, size.x - 1200) * 0.46f;
  const float read = std::min({kReadDocument + extra, kWidestDocument, size.x * kReadShare}),
              beside_lab = std::min(kLabDocument, size.x * kLabShare);
  const float wanted = std::floor(stop() == Stop::read  ? read
                                  : stop() == Stop::lab ? beside_lab
                                                        : 0);
  divider_ = motion_.to(ImGui::GetID("divider at"), dragging_ ? divider_ : wanted,
                        dragging_ ? 0 : kMoveSeconds);
  const bool has_document = divider_ > kLeastDocument;
  if (has_document) draw_document(ui, corner, {divider_, size.y});
  const ImVec2 lab{corner.x + (has_document ? divider_ : 0), corner.y};
  const float bottom = corner.y + size.y;
  draw_lab(ui, lab, {corner.x + size.x - lab.x, size.y});
  if (has_document && !glossary_.is_open()) draw_connector(ui, lab, bottom);
  draw_divider(ui, lab, size.y, corner.x, size.x);
}

void Shell::follow_pressed_links(const Ui& ui, Book& book) {
  if (const std::string name = document_.take_focused_parameter(); !name.empty()) {
    book.turn_to_live_run();
    lab_.focus_parameter(name);
  }
  follow(ui, document_.take_followed_link());
  if (const auto [chapter, term] = glossary_.take_followed(); !chapter.empty()) {
    show_document();
    document_.go_to_term(term);
    if (!book.lesson() || book.lesson()->slug != chapter) follow(ui, chapter);
  }
}

void Shell::follow_closed(const Book& book) {
  const std::array unfocused{finder_.take_none_focused(), document_.find_bar().take_none_focused(),
                             glossary_.take_none_focused()};
  if (std::ranges::find(unfocused, true) != unfocused.end()) focus_text(book);
}

void Shell::follow_finder(const Ui& ui, Book& book) {
  const Action* action = finder_.take_action();
  if (action && action->act && acts_now(*action, lecture_)) action->act(*this, ui);
  const auto place = finder_.take_place();
  if (!place) return;
  show_document();
  book.close_program_page();
  if (!book.lesson() || book.lesson()->slug != place->chapter) book.open(place->chapter);
  constexpr float kBelowTop = 80;  // so that what stands before it can be seen
  if (place->kind == BookPlace::Kind::chapter)
    document_.scroll_to(0);
  else
    document_.restore({place->node, kBelowTop});
  document_.focus(place->node);
}

void Shell::follow_reading(Book& book) {
  if (lab_held_) return;
  const std::string& read = document_.exercise_in_view();
  const ExerciseAttempt* attempt = book.active_attempt();
  if (attempt ? attempt->id() != read : !read.empty()) book.set_active_exercise(read);
  book.follow_comparison(one_column_ ? std::nullopt : document_.compare_in_view());
}

bool Shell::pressed(const Action& action, ImGuiKeyChord chord, bool yields) const {
  if (chord == 0 || (yields && typing_ && action.when != When::always)) return false;
  const ImGuiInputFlags over = yields ? ImGuiInputFlags_None : ImGuiInputFlags_RouteOverFocused;
  const bool here = ImGui::Shortcut(chord, ImGuiInputFlags_RouteGlobal | over);
  const bool counts = lecture_.voting() && action.when != When::voting && counts_votes(chord);
  return here && !counts && acts_now(action, lecture_);
}

void Shell::handle_keys(const Ui& ui) {
  // The arrow and page keys of a clicker turn the screens of a lecture, so ImGui's own navigation must not take them.
  ImGuiConfigFlags& flags = ImGui::GetIO().ConfigFlags;
  flags = lecture_.on() ? flags & ~ImGuiConfigFlags_NavEnableKeyboard
                        : flags | ImGuiConfigFlags_NavEnableKeyboard;
  for (const Action& action : actions()) {
    // ImGui gives a key to whoever asked for it in the frame before. So a lecture asks for all its keys all the time: the letter of
    // a vote may come in the very frame after the key that opens the votes.
    if (action.when != When::always && !lecture_.on()) continue;
    for (int key = 0; key < action.row; ++key) {
      if (pressed(action, action.chord + key, action.yields)) action.act_on(*this, key);
    }
    if (action.row > 0) continue;
    const bool first = pressed(action, action.chord, action.yields),
               second = pressed(action, action.other_chord, true);
    if (first || second) action.act(*this, ui);
  }
  read_by_keys(ui);
}

void Shell::read_by_keys(const Ui& ui) {
  constexpr float kLine = 60, kKept = 80;  // of a view, so that the eye finds where it was
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  if (lecture_.on() || typing_ || finder_.is_open() || glossary_.is_open() ||
      ui.book.program_open() || g.OpenPopupStack.Size > 0)
    return;
  constexpr ImGuiInputFlags kKeys =
      ImGuiInputFlags_RouteGlobal | ImGuiInputFlags_RouteOverFocused | ImGuiInputFlags_Repeat;
  const auto by = [](ImGuiKeyChord on, ImGuiKeyChord back) {
    return (ImGui::Shortcut(on, kKeys) ? 1.0f : 0.0f) -
           (ImGui::Shortcut(back, kKeys) ? 1.0f : 0.0f);
  };
  float pages = by(ImGuiKey_PageDown, ImGuiKey_PageUp);
  const float ends = by(ImGuiKey_End, ImGuiKey_Home);
  float lines = 0;
  // While the ring shows which item has the focus, Space presses it, and the arrow keys go to the next one.
  if (!g.NavCursorVisible) {
    pages += by(ImGuiKey_Space, kShiftSpace);
    lines = by(ImGuiKey_DownArrow, ImGuiKey_UpArrow);
  }
  const bool in_lab = !text_shown() || (g.NavWindow && is_in(*g.NavWindow, "/lab"));
  const float view = in_lab ? lab_.view_height() : document_.view_height();
  const float way = pages * (view - kKept) + lines * kLine + ends * kWholeText;
  if (way == 0) return;
  in_lab ? lab_.scroll_on(way) : document_.scroll_on(way);
}

void Shell::follow(const Ui& ui, const std::string& target) {
  if (target.empty()) return;
  if (target.starts_with("http")) {
    ImGui::SetClipboardText(target.c_str());
    ui.post([target](Book& book) {
      const std::string says = book.strings()("gui.document.address", {{"address", target}});
      book.tell(Toast::Kind::plain, says, 6);
    });
    return;
  }
  if (target.starts_with("#")) {
    glossary_.open_at(target.substr(1));
    return;
  }
  ui.post([target](Book& book) { book.open(target); });
}

// ---- A lecture ----------------------------------------------------------------------------------

void Shell::toggle_lecture(Book& book) { lecture_.on() ? end_lecture(book) : begin_lecture(book); }

void Shell::begin_lecture(Book& book, std::optional<lab::Demo> demo) {
  if (lecture_.on()) return;
  glossary_.close();
  finder_.close();
  document_.find_bar().close();
  lab_held_ = false;
  set_stop(Stop::read);
  zoom_before_ = std::exchange(zoom_, 1.0f);
  present_view_.begin();
  if (demo)
    lecture_.begin(book, std::move(*demo));
  else
    lecture_.begin(book, document_.place().node);
}

void Shell::close_in_lecture(Book& book) {
  const Screen& screen = lecture_.screen();
  if (lecture_.voting())
    lecture_.close_vote();
  else if (present_view_.pen())
    present_view_.toggle_pen();
  else if (!lecture_.enlarged().empty() && screen.last > screen.first)
    lecture_.enlarge({});
  else
    end_lecture(book);
}

void Shell::keep_votes(Book& book) {
  const std::vector<VoteRow> rows = lecture_.votes(book);
  if (rows.empty()) {
    book.tell(Toast::Kind::plain, book.strings()("gui.vote.none"));
    return;
  }
  if (const auto kept = gui::keep_votes(votes_file_, rows); !kept)
    book.tell(Toast::Kind::bad, book.strings()(kept.error()));
  else
    book.tell(Toast::Kind::ok,
              book.strings()("gui.vote.kept", {{"file", votes_file_.filename().string()}}));
}

void Shell::end_lecture(Book& book) {
  if (!lecture_.on()) return;
  constexpr float kBelowTop = 24;
  const std::size_t node = lecture_.screen().first;
  lecture_.end(book);
  zoom_ = zoom_before_;
  document_.restore({node, kBelowTop});
}

bool Shell::turn_page(int by) {
  return lecture_.enlarged().empty() && !lecture_.blank() && document_.turn_page(by);
}

void Shell::toggle_enlarged(const Book& book) {
  if (!lecture_.enlarged().empty()) {
    lecture_.enlarge({});
    return;
  }
  const std::string id = exhibit_at_hand(book);
  id.empty() ? lecture_.enlarge_next(book, 1) : lecture_.enlarge(id);
}

std::string Shell::exhibit_at_hand(const Book& book) const {
  const std::vector<std::string> known = exhibits_to_enlarge(book);
  std::vector<std::string> wanted{lab_.panel_at(ImGui::GetMousePos())};
  if (const auto& piece = document_.connected())
    wanted.insert(wanted.end(), piece->topics.begin(), piece->topics.end());
  for (const std::string& id : wanted) {
    if (std::ranges::find(known, id) != known.end()) return id;
  }
  return {};
}

float Shell::scale_for(int pixels_x, int pixels_y, float monitor) const {
  if (!lecture_.on()) return std::max(0.5f, monitor * zoom_);
  return presentation_scale(pixels_x, pixels_y) * zoom_ * present_view_.enlargement();
}

// ---- What is open -------------------------------------------------------------------------------

void Shell::set_zoom(float zoom) { zoom_ = std::clamp(zoom, 0.6f, 2.5f); }

void Shell::show_document() {
  lab_tab_ = false;
  if (one_column_) glossary_.close();
  if (stop_ == Stop::lab_only) stop_ = Stop::read;
}

bool Shell::text_shown() const { return one_column_ ? !lab_tab_ : divider_ > kLeastDocument; }

void Shell::focus_text(const Book& book) {
  if (text_shown() && !book.program_open() && !lecture_.on())
    document_.focus(document_.first_in_view());
}

void Shell::go_to_step(const Ui& ui, std::size_t step) {
  document_.go_to_step(step);
  ui.post([first = document_.steps()[step].node](Book& book) { book.enter_step(first); });
}

void Shell::step_on(const Ui& ui, bool focus) {
  const std::size_t next = document_.current_step() + 1;
  if (next < document_.steps().size()) {
    go_to_step(ui, next);
    if (focus) document_.focus(document_.steps()[next].node);
  } else if (const ChapterEntry* chapter = chapter_after(ui.book); chapter && !lecture_.on()) {
    ui.post([this, slug = chapter->slug, focus](Book& book) {
      book.open(slug);
      if (focus) document_.focus(0);
    });
  }
}

void Shell::show_lab() {
  lab_tab_ = true;
  glossary_.close();
}

void Shell::toggle_glossary() {
  if (glossary_.is_open()) {
    glossary_.close();
  } else {
    glossary_.open();
  }
}

bool Shell::close_bar() {
  if (const int menus = ImGui::GetCurrentContext()->OpenPopupStack.Size; menus > 0) {
    ImGui::ClosePopupToLevel(menus - 1, true);
  } else if (finder_.is_open()) {
    finder_.close();
  } else if (document_.find_bar().is_open()) {
    document_.find_bar().close();
  } else if (glossary_.is_open()) {
    glossary_.close();
  } else {
    return false;
  }
  return true;
}

void Shell::make_room(const Book& book) {
  const bool now =
      !book.active_attempt() && !glossary_.is_open() && (book.comparing() || book.compare_node());
  if (now != comparing_) made_room_ = now;
  comparing_ = now;
}

// ---- From sitting to sitting --------------------------------------------------------------------

lab::DeskState Shell::desk() const {
  lab::DeskState desk;
  desk.stop = kStopNames[static_cast<std::size_t>(stop_)];
  desk.list = !list_chosen_ ? "" : list_open_ ? "open" : "folded";
  desk.zoom = static_cast<double>(zoom_);
  desk.ptx = lab_.code().ptx_shown();
  desk.sass = lab_.code().sass_shown();
  desk.held = lab_held_;
  desk.lab_tab = lab_tab_;
  desk.in_words = in_words_;
  return desk;
}

void Shell::set_desk(const lab::DeskState& desk) {
  const auto stop = std::ranges::find(kStopNames, desk.stop);
  if (stop != kStopNames.end()) stop_ = static_cast<Stop>(stop - kStopNames.begin());
  if (!desk.list.empty()) set_list_open(desk.list == "open");
  set_zoom(static_cast<float>(desk.zoom));
  lab_.code().show_ptx(desk.ptx);
  lab_.code().show_sass(desk.sass);
  lab_.code().take_opened();  // the place of the last time is what is shown
  lab_held_ = desk.held;
  lab_tab_ = desk.lab_tab;
  in_words_ = desk.in_words;
}

lab::PlaceState Shell::place() const {
  const DocumentView::Place at = document_.place();
  return {static_cast<int>(at.node), static_cast<double>(at.below_top),
          static_cast<double>(lab_.scroll()), lab_.code().slot()};
}

void Shell::go_back_to(const lab::PlaceState& place) {
  if (place.node < 0) return;
  document_.restore({static_cast<std::size_t>(place.node), static_cast<float>(place.below_top)});
  lab_.restore_scroll(static_cast<float>(place.lab_scroll));
  lab_.code().show_slot(place.slot);
  lab_restored_ = true;
}

// ---- The top bar --------------------------------------------------------------------------------

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
  if (icon_button(ui, "actions", {take(32), middle - 16}, Icon::dots,
                  ui.with_keys(ui.tr("gui.action.palette"), "palette"), 32))
    finder_.open(Finder::What::actions);
  right -= 8;

  const ExerciseAttempt* attempt = ui.book.active_attempt();
  static constexpr Icon kPlay = Icon::play, kStop = Icon::stop;
  const bool program = ui.book.program_open();
  const bool running = program   ? ui.book.my_program().progress().running
                       : attempt ? attempt->progress().running
                                 : (ui.book.progress().running && ui.book.progress().seconds > 0.2);
  const bool checks = attempt && !program;
  const std::string label =
      running ? ui.tr("gui.cancel") : ui.tr(checks ? "gui.exercise.check" : "gui.run");
  const std::string_view keys = ui.keys_of(running ? "back" : "run");
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
  const float left = corner.x + 160;
  draw_search(ui, left, draw_device(ui, left, right, middle) - 8, middle);
}

void Shell::draw_search(const Ui& ui, float left, float right, float middle) {
  constexpr float kLeast = 140, kMost = 360, kHalf = measure::kButton / 2;
  const float width = std::min(kMost, right - left - 16);
  const bool words = width >= kLeast;
  if (!words && width < measure::kButton) return;
  const std::string says = ui.tr("gui.finder.places");
  const ImVec2 min{right - (words ? width : measure::kButton), middle - kHalf},
      max{right, middle + kHalf};
  if (item("search", min, max)) finder_.open(Finder::What::places);
  const Ink ink = ui.ink();
  ink.fill(min, max, ImGui::IsItemHovered() ? ui.theme.s3 : ui.theme.s2, measure::kControlRadius);
  tip(ui, ui.with_keys(says, "search"));
  ink.icon(Icon::search, {min.x + 16, middle}, ui.theme.t3, 14);
  if (!words) return;
  const std::string keys(ui.keys_of("search"));
  const float room = width - 36 - 12, key_room = ink.width(ui.note(), keys) + 12;
  const bool both = ink.width(ui.caption(), says) + key_room <= room;
  ink.text_middle(min.x + 36, middle, ui.caption(), ink.fitted(ui.caption(), says, room));
  if (both) ink.text_middle(max.x - 12, middle, ui.note(), keys, Align::right);
}

float Shell::draw_device(const Ui& ui, float left, float right, float middle) {
  constexpr float kHalf = measure::kButton / 2, kBeforeText = 36, kAfterText = 32, kBetween = 8;
  const Ink ink = ui.ink();
  const std::string device = ui.tr("gui.device.simulator"),
                    stands = ui.tr("gui.device.as", {{"gpu", ui.book.gpu().name}});
  const Type second{Face::sans, 15, ui.theme.t3};
  const float named = ink.width(ui.label(), device) + kBetween,
              bare = kBeforeText + ink.width(second, stands) + kAfterText;
  const bool names_device = left < right - bare - named;  // else only the GPU has room
  const float wide = bare + (names_device ? named : 0), x = right - wide;
  const ImVec2 min{x, middle - kHalf}, max{right, middle + kHalf};
  constexpr const char* kList = "gpus";
  const bool shown = left < x;
  if (shown) {
    if (item("device", min, max)) gpus_open_ = true;
    ink.fill(min, max, ImGui::IsItemHovered() ? ui.theme.s3 : ui.theme.s2, measure::kControlRadius);
    tip(ui, ui.with_keys(ui.tr("gui.action.gpu"), "gpu"));
    ink.icon(Icon::chip, {x + 19, middle}, ui.theme.t2, 16);
    if (names_device) ink.text_middle(x + kBeforeText, middle, ui.label(), device);
    ink.text_middle(x + kBeforeText + (names_device ? named : 0), middle, second, stands);
    ink.icon(Icon::chevron_down, {right - 17, middle}, ui.theme.t2, 14);
  }
  if (std::exchange(gpus_open_, false)) ImGui::OpenPopup(kList);
  const float end = shown ? x : right;
  if (!ImGui::IsPopupOpen(kList)) return end;
  const std::vector<MenuRow> rows = gpu_rows(ui);
  if (const auto press = choice_menu(ui, kList, {shown ? x : left, max.y + 4}, rows))
    ui.post([gpu = rows[press->row].id](Book& book) { book.set_gpu(gpu); });
  return end;
}

// ---- The list of chapters -----------------------------------------------------------------------

void Shell::draw_list(const Ui& ui, ImVec2 corner, ImVec2 size, bool rail) {
  float y = corner.y + 8;
  const std::string fold = ui.tr(rail ? "gui.list.open" : "gui.list.fold");
  if (icon_button(ui, "fold list", {corner.x + 8, y}, Icon::list, ui.with_keys(fold, "list"), 32))
    toggle_list();
  if (!rail) {
    const Typed typed = filter_.draw(ui, "##chapter filter", {corner.x + 46, y}, size.x - 46 - 8,
                                     ui.tr("gui.list.filter"));
    if (typed == Typed::escape) filter_.text.clear();
    if (typed == Typed::enter) open_filtered(ui);
  }
  region("chapters", {corner.x, y + 40}, {size.x, corner.y + size.y - y - 40}, 0, 0,
         [&] { draw_chapters(ui, rail); });
}

bool Shell::is_listed(const ChapterEntry& entry) const {
  if (!list_shown_ || filter_.text.empty()) return true;
  const std::string typed = lab::case_folded(filter_.text);
  return lab::case_folded(entry.title).find(typed) != std::string::npos ||
         entry.slug.find(typed) != std::string::npos ||
         lab::pinyin_initials(entry.title).find(typed) != std::string::npos;
}

void Shell::open_filtered(const Ui& ui) {
  const auto& chapters = ui.book.chapters();
  const auto first =
      std::ranges::find_if(chapters, [&](const ChapterEntry& entry) { return is_listed(entry); });
  if (first == chapters.end() || filter_.text.empty()) return;
  ui.post([slug = first->slug](Book& book) {
    book.close_program_page();
    if (!book.lesson() || book.lesson()->slug != slug) book.open(slug);
  });
  filter_.text.clear();
}

void Shell::draw_chapters(const Ui& ui, bool rail) {
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  float y = begin.y;
  const float left = begin.x + 8, right = begin.x + ImGui::GetContentRegionAvail().x - 8;
  std::size_t number = 0;
  bool any = false;
  for (const ChapterEntry& entry : ui.book.chapters()) {
    ++number;
    if (!is_listed(entry)) continue;
    any = true;
    draw_chapter(ui, {left, y}, {right, y + measure::kListRow}, entry, number, rail);
    y += measure::kListRow;
  }
  if (!any) {
    const FigureArea none{ui, {left + 12, y + 8}, right - left - 24, true};
    y += words(none, ui.tr("gui.list.none", {{"words", filter_.text}}), ui.caption_style()) + 16;
  }
  y += measure::kGap;
  draw_glossary_row(ui, {left, y}, {right, y + measure::kListRow}, rail);
  y += measure::kListRow;
  const bool shown = ui.book.program_open();
  if (draw_page_row(ui, {left, y}, {right, y + measure::kListRow},
                    {"scratch page", "{ }", "scratch", ui.tr("scratch.title"),
                     ui.book.on_scratch_page() && !shown},
                    rail))
    ui.post([](Book& book) {
      book.close_program_page();
      if (!book.on_scratch_page()) book.open_scratch_page();
    });
  y += measure::kListRow;
  if (draw_page_row(ui, {left, y}, {right, y + measure::kListRow},
                    {"my program", ".cu", "program", ui.tr("gui.program.title"), shown}, rail))
    ui.post([](Book& book) { book.open_program_page(); });
  ImGui::SetCursorScreenPos({begin.x, y + measure::kListRow});
  ImGui::Dummy({1, 1});
}

void Shell::draw_glossary_row(const Ui& ui, ImVec2 min, ImVec2 max, bool rail) {
  const PageRow row{"glossary", "Aa", "glossary", ui.tr("gui.glossary.title"), glossary_.is_open()};
  if (draw_page_row(ui, min, max, row, rail)) toggle_glossary();
}

// ---- The document -------------------------------------------------------------------------------

void Shell::draw_document(const Ui& ui, ImVec2 corner, ImVec2 size) {
  ui.ink().list()->AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, ui.theme.s1, 8,
                                 ImDrawFlags_RoundCornersTop);
  if (lecture_.on()) {
    region("document", corner, size, 0, 0, [&] { document_.draw(ui, !one_column_); });
    return;
  }
  float used = page_error(ui, corner, size.x);
  draw_track(ui, {corner.x, corner.y + used}, size.x);
  used += kTrack;
  used += document_.find_bar().draw(ui, {corner.x, corner.y + used}, size.x);
  const float top = corner.y + used, bottom = corner.y + size.y - measure::kFoot;
  region("document", {corner.x, top}, {size.x, bottom - top}, 0, 0,
         [&] { document_.draw(ui, !one_column_); });
  draw_foot(ui, {corner.x, bottom}, size.x);
}

void Shell::draw_track(const Ui& ui, ImVec2 corner, float width) {
  const Ink ink = ui.ink();
  const auto& steps = document_.steps();
  if (steps.empty()) return;
  const std::size_t current = document_.current_step();
  const float left = corner.x + measure::kDocumentMargin,
              edge = corner.x + width - measure::kDocumentMargin - 6, right = edge - kFindButton;
  const float middle = corner.y + 27;
  if (icon_button(ui, "find", {edge - kFindButton + 8, middle - 14}, Icon::search,
                  ui.with_keys(ui.tr("gui.action.find"), "find")))
    document_.open_find();
  const std::string says = ui.tr("gui.step." + steps[current].name) + " · " +
                           std::to_string(current + 1) + " / " + std::to_string(steps.size());
  ink.text_middle(right, middle, ui.note(), says, Align::right);
  const float room = right - left - 118, gap = 5;
  const float each =
      (room - gap * static_cast<float>(steps.size() - 1)) / static_cast<float>(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const float x = left + static_cast<float>(i) * (each + gap);
    ImGui::PushID(static_cast<int>(i));
    if (item("segment", {x, middle - 9}, {x + each, middle + 9})) go_to_step(ui, i);
    const bool hovered = ImGui::IsItemHovered();
    tip(ui, ui.tr("gui.step." + steps[i].name));
    ImGui::PopID();
    const Colour colour = i == current ? ui.theme.accent : i < current ? ui.theme.s5 : ui.theme.s4;
    ink.fill({x, middle - 2}, {x + each, middle + 2},
             hovered && i != current ? ui.theme.t3 : colour, 2);
  }
}

void Shell::draw_foot(const Ui& ui, ImVec2 corner, float width) {
  // Each button has a place of its own, at the edge that does not move when the lab takes more room.
  constexpr float kBefore = 150, kAfter = 190;
  const auto& steps = document_.steps();
  const std::size_t current = document_.current_step();
  const float top = corner.y + measure::kFoot / 2 - 2 - measure::kButton / 2;
  static constexpr Icon kBack = Icon::chevron_left, kOn = Icon::chevron_right;
  const float left = corner.x + measure::kDocumentMargin - 12,
              after = left + kBefore + measure::kGap;
  const float room = std::min(kAfter, corner.x + width - measure::kDocumentMargin + 6 - after);
  const auto step = [&](std::size_t number) { return ui.tr("gui.step." + steps[number].name); };
  if (current > 0 && current < steps.size() &&
      button(ui, "step before", {left, top}, step(current - 1),
             {ButtonKind::quiet, measure::kButton, &kBack}, kBefore))
    go_to_step(ui, current - 1);
  const ButtonLook on{ButtonKind::plain, measure::kButton, &kOn};
  if (current + 1 < steps.size()) {
    if (button(ui, "step after", {after, top}, step(current + 1), on, room)) step_on(ui, false);
  } else if (const ChapterEntry* next = chapter_after(ui.book)) {
    const std::string title =
        ui.ink().fitted(ui.label(), next->title, room - button_width(ui, "", on) - 8);
    if (button(ui, "chapter after", {after, top}, title, on, room)) step_on(ui, false);
  }
}

// ---- The lab ------------------------------------------------------------------------------------

void Shell::draw_lab(const Ui& ui, ImVec2 corner, ImVec2 size) {
  if (lecture_.voting()) {
    region("votes", corner, size, ui.theme.s0, 0, [&] { draw_votes(ui, corner, size); });
    return;
  }
  if (glossary_.is_open()) {
    region("glossary", corner, size, 0, 0, [&] { glossary_.draw(ui); });
    return;
  }
  const float top = lab_.measure_top(ui, size, one_column_);
  if (top > 0) region("lab top", corner, {size.x, top}, 0, 0, [&] { lab_.draw_top(ui); });
  const float foot = lab_.measure_foot(ui, size);
  region("lab", {corner.x, corner.y + top}, {size.x, size.y - top}, 0, 0, [&] { lab_.draw(ui); });
  if (foot > 0)
    region("lab foot", {corner.x, corner.y + size.y - foot}, {size.x, foot}, ui.theme.s0, 0,
           [&] { lab_.draw_foot(ui); });
}

void Shell::draw_tabs(const Ui& ui, ImVec2 corner) {
  const bool covered = glossary_.is_open();
  const ButtonLook read{ButtonKind::plain,    measure::kButton, nullptr, 0, {}, false,
                        !lab_tab_ && !covered};
  const ButtonLook lab{ButtonKind::plain,   measure::kButton, nullptr, 0, {}, false,
                       lab_tab_ && !covered};
  const std::string first = ui.tr("gui.tab.text"), second = ui.tr("gui.tab.lab");
  const auto show = [&](bool lab_wanted) {
    lab_tab_ = lab_wanted;
    glossary_.close();
  };
  if (button(ui, "text tab", {corner.x + 16, corner.y + 2}, first, read)) show(false);
  if (button(ui, "lab tab", {corner.x + 24 + button_width(ui, first, read), corner.y + 2}, second,
             lab))
    show(true);
}

void Shell::draw_divider(const Ui& ui, ImVec2 corner, float height, float left, float room) {
  ImGui::SetCursorScreenPos({corner.x - 4, corner.y + 40});
  ImGui::InvisibleButton("divider", {10, height - 80});
  const bool hot = ImGui::IsItemHovered() || ImGui::IsItemActive();
  if (hot) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    ui.ink().fill({corner.x, corner.y + 8}, {corner.x + 2, corner.y + height - 8}, ui.theme.accent,
                  1);
  }
  if (ImGui::IsItemActive()) {
    dragging_ = true;
    divider_ =
        std::clamp(ImGui::GetMousePos().x - left, 0.0f, std::min(kWidestDocument, room - 360));
  } else if (dragging_) {  // released: the divider moves to the nearest stop
    dragging_ = false;
    const auto distance = [&](float x) { return std::abs(divider_ - x); };
    made_room_ = false;
    stop_ = distance(kReadDocument) < distance(kLabDocument) ? Stop::read
            : distance(kLabDocument) < distance(0)           ? Stop::lab
                                                             : Stop::lab_only;
  }
}

// ---- The connector between text and lab ---------------------------------------------------------

void Shell::draw_connector(const Ui& ui, ImVec2 top, float bottom) {
  const auto& piece = document_.connected();
  const LabView::Place* panel = nullptr;
  std::string name;
  for (const std::string& topic : piece ? piece->topics : std::vector<std::string>()) {
    panel = lab_.place_of(topic);
    if (panel) {
      name = topic;
      break;
    }
  }
  // The lab scrolls to the panel once, when the reader comes to another piece. After that the reader scrolls it.
  if (panel && !lab_held_ && !ui.typing) {
    std::string now = std::to_string(piece->node) + " " + name;
    if (now != connected_to_ && !std::exchange(lab_restored_, false)) lab_.reveal(name);
    connected_to_ = std::move(now);
  }
  const float gap = top.x + measure::kLabMargin / 2;
  float pin_y = top.y + kBelowTop + measure::kGap;
  bool drawn = false;
  if (panel) {
    const float text_top = top.y + 52, text_bottom = bottom - measure::kFoot - 8;
    const ImVec2 from{piece->max.x, std::clamp(piece->min.y + kBelowTop, text_top, text_bottom)};
    const ImVec2 to{panel->min.x, panel->min.y + kBelowTop};
    const bool in_text = piece->max.y > text_top && piece->min.y < text_bottom;
    const float begin = panel->stays ? top.y : lab_.scroll_top();
    drawn = in_text && to.y > begin + 4 && to.y < bottom - 4;
    if (drawn) {
      pin_y = to.y;
      elbow(ui.ink(), from, gap, to, fade(ui.theme.accent, 0.6f));
    }
  }
  if (drawn || lab_held_) draw_hold_pin(ui, {gap, pin_y});
}

void Shell::draw_hold_pin(const Ui& ui, ImVec2 middle) {
  // A child window of its own, because the lab's window below it would take the click.
  const ImVec2 at{middle.x - kPin / 2, middle.y - kPin / 2};
  ImGui::SetCursorScreenPos(at);
  ImGui::PushStyleColor(ImGuiCol_ChildBg, 0);
  if (ImGui::BeginChild("hold", {kPin, kPin}, ImGuiChildFlags_NavFlattened,
                        ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoScrollbar)) {
    if (item("hold the lab", at, {at.x + kPin, at.y + kPin})) lab_held_ = !lab_held_;
    const float lit =
        ui.motion.to(ImGui::GetItemID(), ImGui::IsItemHovered() || lab_held_ ? 1.0f : 0.0f);
    tip(ui, ui.with_keys(ui.tr(lab_held_ ? "gui.hold.release" : "gui.hold.hold"), "hold"));
    const Ink ink = ui.ink();
    ink.list()->AddCircleFilled(middle, kPin / 2 - 0.5f,
                                lab_held_ ? ui.theme.accent : mix(ui.theme.s0, ui.theme.s4, lit));
    ink.icon(Icon::pin, middle,
             lab_held_ ? ui.theme.on_accent : mix(ui.theme.accent, ui.theme.t1, lit), 11);
  }
  ImGui::EndChild();
  ImGui::PopStyleColor();
}

// ---- The status bar, toasts and settings --------------------------------------------------------

void Shell::draw_status_bar(const Ui& ui, ImVec2 corner, float width) {
  const Ink ink = ui.ink();
  const float middle = corner.y + measure::kStatusBar / 2 - 1;
  const std::string quiet = notice_.empty() ? ui.tr("gui.status.no-gpu") : notice_;
  const float edge = corner.x + width - 16,
              quiet_end = corner.x + 16 + ink.width(ui.note(), quiet) + 24;
  float right = edge;
  const auto note = [&](const std::string& text) {
    // Where there is not room for all, how long things took is said least.
    const bool has_room = right == edge || right - ink.width(ui.note(), text) >= quiet_end;
    if (text.empty() || !has_room) return;
    const std::string shown = ink.fitted(ui.note(), text, width / 2);
    ink.text_middle(right, middle, ui.note(), shown, Align::right);
    right -= ink.width(ui.note(), shown) + 22;
  };
  note(saved_);
  const auto own = ui.book.my_program().result();
  const bool of_program = ui.book.program_open();
  const lab::Report* report = !of_program       ? ui.book.report().get()
                              : own && own->end ? &own->report
                                                : nullptr;
  const bool stale = of_program ? ui.book.my_program().stale() : ui.book.stale();
  if (report && !stale) {
    note(ui.tr("gui.status.ran", {{"time", lab::duration(report->run_seconds)}}));
    if (report->compile_seconds > 0)
      note(ui.tr("gui.status.compiled", {{"time", lab::duration(report->compile_seconds)}}));
  }
  ink.text_middle(corner.x + 16, middle, ui.note(),
                  ink.fitted(ui.note(), quiet, right - corner.x - 40));
}

void Shell::draw_toasts(const Ui& ui, ImVec2 corner) {
  constexpr float kWidest = 560, kIcon = 40, kLine = 22, kOneLine = 44, kBeside = 12;
  constexpr ImGuiWindowFlags kFlags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                      ImGuiWindowFlags_NoSavedSettings |
                                      ImGuiWindowFlags_NoFocusOnAppearing;
  float bottom = corner.y;
  int number = 0;
  for (const Toast& toast : ui.book.toasts()) {
    const float said = ui.ink().width(ui.label(), toast.text) + 2;
    const ButtonLook look{ButtonKind::plain, measure::kCardButton};
    const float button_room =
        toast.action.empty() ? 0 : button_width(ui, toast.action, look) + kBeside;
    const float room = std::min(said, kWidest - kIcon - 20), wide = kIcon + room + 20 + button_room;
    const ParagraphStyle style{15, kLine, Face::sans, Face::bold, ui.theme.t1, 0};
    const float high =
        std::max(kOneLine, words({ui, {0, 0}, room, false}, toast.text, style) + kLine);
    ImGui::SetNextWindowPos({corner.x - wide, bottom - high});
    ImGui::SetNextWindowSize({wide, high});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, ui.theme.s3);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, measure::kPanelRadius);
    const std::string id = "toast " + std::to_string(number++);
    if (ImGui::Begin(id.c_str(), nullptr, kFlags)) {
      const Ink ink = ui.ink();
      const ImVec2 at = ImGui::GetWindowPos();
      const bool ok = toast.kind == Toast::Kind::ok, bad = toast.kind == Toast::Kind::bad;
      const Colour colour = ok ? ui.theme.ok : bad ? ui.theme.bad : ui.theme.accent;
      if (ui.theme.outline) ink.outline(at, {at.x + wide, at.y + high}, ui.theme.outline);
      ink.fill(at, {at.x + measure::kAccentBar, at.y + high}, colour, 2);
      const Icon icon = ok ? Icon::check : bad ? Icon::cross : Icon::speech;
      ink.icon(icon, {at.x + 22, at.y + kOneLine / 2}, colour, 16, ui.theme.s3);
      words({ui, {at.x + kIcon, at.y + kLine / 2}, room, true}, toast.text, style);
      const ImVec2 corner_of_button{at.x + wide - button_room, at.y + (high - look.height) / 2};
      if (button_room > 0 && button(ui, "act", corner_of_button, toast.action, look)) {
        ui.post([act = toast.act, text = toast.text](Book& book) {
          std::erase_if(book.toasts(), [&](const Toast& other) { return other.text == text; });
          act(book);
        });
      }
    }
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    bottom -= high + measure::kGap;
  }
}

void Shell::draw_settings(const Ui& ui) {
  constexpr float kWidth = 440, kInset = 16, kChoices = 212, kShortcuts = 560;
  if (std::exchange(settings_open_, false)) ImGui::OpenPopup("settings");
  const ImGuiViewport& viewport = *ImGui::GetMainViewport();
  const float top = measure::kTopBar + 2, width = std::min(kWidth, viewport.Size.x - 24),
              height = std::min(kChoices + kShortcuts, viewport.Size.y - top - 12);
  ImGui::SetNextWindowPos({viewport.Pos.x + viewport.Size.x - width - 12, viewport.Pos.y + top});
  ImGui::SetNextWindowSize({width, height});
  if (!ImGui::BeginPopup("settings", ImGuiWindowFlags_NoMove)) return;
  const ImVec2 at = ImGui::GetWindowPos();
  if (ui.theme.outline)
    ui.ink().outline(at, {at.x + width, at.y + height}, ui.theme.outline, measure::kPanelRadius);
  const float used = draw_choices(ui, {at.x + kInset, at.y + 14});
  region("shortcuts", {at.x, at.y + 14 + used}, {width - 4, height - 14 - used - 8}, 0, 0, [&] {
    const ImVec2 begin = ImGui::GetCursorScreenPos();
    draw_shortcuts(ui, {begin.x + kInset, begin.y}, ImGui::GetContentRegionAvail().x - 2 * kInset);
  });
  ImGui::EndPopup();
}

float Shell::draw_choices(const Ui& ui, ImVec2 corner) {
  const Ink ink = ui.ink();
  constexpr float kName = 104, kRow = 40;
  float y = corner.y;
  const auto row = [&](const char* label, auto&& options) {
    ink.text_middle(corner.x, y + 14, ui.label(), ui.tr(label));
    float x = corner.x + kName;
    for (const auto& [id, text, chosen, act] : options) {
      const ButtonLook look{ButtonKind::plain, 28, nullptr, 0, {}, false, chosen};
      if (button(ui, id, {x, y}, text, look)) act();
      x += button_width(ui, text, look) + 4;
    }
    y += kRow;
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
  std::vector<Option> languages;
  for (const lab::Language& language : ui.book.languages()) {
    const std::string& code = language.code;
    languages.push_back({code.c_str(), language.name, ui.book.language() == code, [&ui, code] {
                           ui.post([code](Book& book) { book.set_language(code); });
                         }});
  }
  row("gui.settings.language", languages);
  const std::string percent = std::to_string(std::lround(zoom_ * 100)) + " %";
  const auto motion = [&](const char* name, bool reduced) {
    return Option{
        name, ui.tr(std::string("gui.settings.") + name), ui.book.reduced_motion() == reduced,
        [&ui, reduced] { ui.post([reduced](Book& b) { b.set_reduced_motion(reduced); }); }};
  };
  row("gui.settings.motion",
      std::vector{motion("motion-full", false), motion("motion-none", true)});
  const auto pictures = [&](const char* name, bool words) {
    return Option{name, ui.tr(std::string("gui.settings.") + name), in_words_ == words,
                  [this, words] { in_words_ = words; }};
  };
  row("gui.settings.pictures", std::vector{pictures("drawn", false), pictures("in-words", true)});
  row("gui.settings.zoom",
      std::vector{Option{"smaller", "–", false, [this] { set_zoom(zoom_ - 0.1f); }},
                  Option{"as made", percent, false, [this] { set_zoom(1); }},
                  Option{"larger", "+", false, [this] { set_zoom(zoom_ + 0.1f); }}});
  return y - corner.y;
}

void Shell::draw_shortcuts(const Ui& ui, ImVec2 corner, float width) const {
  constexpr float kKeys = 110, kBetween = 6;
  const ParagraphStyle style{13, 18, Face::sans, Face::bold, ui.theme.t3, 0};
  float y = corner.y;
  for (const Action& action : actions()) {
    if (action.keys.empty()) continue;
    const float high = words({ui, {corner.x, y}, width - kKeys, true},
                             ui.tr("gui.action." + std::string(action.id)), style);
    ui.ink().text_middle(corner.x + width, y + style.line / 2, ui.note(), action.keys,
                         Align::right);
    y += high + kBetween;
  }
  ImGui::SetCursorScreenPos({corner.x, y});
  ImGui::Dummy({1, 1});
}

}  // namespace warpbook::gui
