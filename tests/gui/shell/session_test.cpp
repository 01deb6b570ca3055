// A sitting with a book on the disk: its files change while it is open, and another Warpbook has it open already.
#include "gui/shell/session.hpp"

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>

#include "tests/gui/stage.hpp"

namespace warpbook::gui::session_test {
namespace {
namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& text) {
  const fs::path fresh = path.string() + ".new";
  std::ofstream(fresh) << text;
  fs::rename(fresh, path);  // as editors save
}

/// A copy of the book that a test may break, and a folder for what its reader leaves behind.
class Copy {
 public:
  Copy() : folder_(fs::temp_directory_path() / ("warpbook-book-" + std::to_string(::getpid()))) {
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "state");
    for (const char* part : {"lessons", "exercises", "kernels", "lang"}) {
      fs::copy(fs::path(WARPBOOK_SOURCE_DIR) / part, folder_ / part, fs::copy_options::recursive);
    }
  }
  ~Copy() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  [[nodiscard]] OpenOptions options() const {
    return {"first-kernel", folder_.string(), (folder_ / "state").string()};
  }
  [[nodiscard]] fs::path path(const std::string& name) const { return folder_ / name; }

 private:
  fs::path folder_;
};

std::uint32_t line_of(const std::string& text, std::size_t at) {
  return static_cast<std::uint32_t>(
      1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

bool shows_page_error(Stage& stage) {
  bool shown = false;
  stage.act([&shown](ImGuiTestContext& t) { shown = t.ItemExists("**/page error"); });
  return shown;
}
}  // namespace

TEST_CASE(
    "a chapter's text that is broken while the window is open keeps its last good page, with the "
    "error at its line",
    "[ci]") {
  const Copy copy;
  Stage stage(copy.options());
  Book& book = stage.book();
  book.set_language("en");
  stage.settle();
  REQUIRE(book.lesson());
  REQUIRE_FALSE(book.document_error());
  book.answer("what-is-out", "6 8 10 12");
  stage.settle();
  CHECK_FALSE(shows_page_error(stage));
  const std::size_t blocks = book.document().nodes.size();
  const std::uint64_t version = book.document_version();

  const fs::path file = copy.path("lessons/first-kernel/en.md");
  const std::string good = read(file);
  std::string broken = good;
  const std::size_t at = broken.find("id = \"idle-of-five\"");
  REQUIRE(at != std::string::npos);
  broken.replace(at, 19, "id = idle of five\"");
  write(file, broken);
  REQUIRE(stage.until([&] { return book.document_error().has_value(); }));
  CHECK(book.document_error()->place.file == "lessons/first-kernel/en.md");
  CHECK(book.document_error()->place.line == line_of(broken, at));
  CHECK(book.document_version() == version);
  CHECK(book.document().nodes.size() == blocks);
  CHECK(shows_page_error(stage));
  const Excerpt& excerpt = book.document_error_excerpt();
  REQUIRE(excerpt.lines.size() == 3);
  CHECK(excerpt.first + 1 == book.document_error()->place.line);
  CHECK(excerpt.lines[1] == "id = idle of five\"");
  // The last good page still works.
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Q); });
  stage.settle();
  stage.act([](ImGuiTestContext& t) { t.KeyPress(ImGuiKey_2); });
  stage.settle();
  CHECK(book.answered("idle-of-five"));

  std::string mended = good;
  constexpr std::string_view kEndOfStep = "\n```\n\n";  // the chapter's first words come after it
  mended.insert(mended.find(kEndOfStep) + kEndOfStep.size(), "Twa ");
  write(file, mended);
  REQUIRE(stage.until([&] { return book.document_version() > version; }));
  CHECK_FALSE(book.document_error());
  CHECK_FALSE(shows_page_error(stage));
  CHECK(std::get<lab::Paragraph>(book.document().nodes[1]).spans.front().text.starts_with("Twa "));
  CHECK(book.answered("what-is-out"));
  CHECK(book.answered("idle-of-five"));
}

TEST_CASE("a kernel of the book that changes on the disk while the window is open runs anew",
          "[ci]") {
  const Copy copy;
  Stage stage(copy.options());
  Book& book = stage.book();
  stage.settle();
  REQUIRE(book.report());
  const fs::path file = copy.path("kernels/add/01_guarded.cu");
  std::string text = read(file);
  const std::size_t at = text.find("out[i] = x[i] + y[i];");
  REQUIRE(at != std::string::npos);
  write(file, text.replace(at, 21, "out[i] = x[i] * y[i];"));
  REQUIRE(stage.until([&] {
    const auto* out = book.report()->find_as<lab::TensorExhibit>("out");
    return out && lab::element_text(*out, 1) == "12";
  }));
}

TEST_CASE("a second Warpbook on the same book works, says that it saves nothing, and harms nothing",
          "[ci]") {
  const Copy copy;
  auto first = std::make_unique<Stage>(copy.options());
  first->book().set_language("en");
  first->settle();
  first->book().answer("what-is-out", "6 8 10 12");
  first->settle();
  REQUIRE(first->until([&] { return !first->session().store().unsaved(); }));
  const std::string kept = read(copy.path("state/state.json"));
  REQUIRE(kept.find("what-is-out") != std::string::npos);

  {
    Stage second(copy.options());
    second.settle();
    REQUIRE(second.session().store().read_only());
    // It shows what the first has saved, and says in a sentence what is not possible here.
    CHECK(second.book().answered("what-is-out"));
    REQUIRE(second.book().toasts().size() == 1);
    const std::string says = second.book().toasts().front().text;
    CHECK(says == second.book().strings()("error.state_locked.long"));
    // Everything works but the saving.
    second.book().set_value("n", lab::Value(std::int64_t{5}));
    second.book().set_source("add", second.book().source("add") + "// mine\n");
    second.settle();
    CHECK(lab::count(*second.book().report()->find_as<lab::TensorExhibit>("out")) == 5);
    CHECK_FALSE(second.book().stale());
    second.session().save_now();
  }
  CHECK(read(copy.path("state/state.json")) == kept);

  // The first goes on saving.
  first->book().set_value("n", lab::Value(std::int64_t{7}));
  first->settle();
  first->session().save_now();
  const std::string later = read(copy.path("state/state.json"));
  CHECK(later.find("\"n\": \"7\"") != std::string::npos);
  CHECK(later.find("// mine") == std::string::npos);
}

TEST_CASE("an exercise is a file that the window, the terminal and any editor share", "[ci]") {
  const Copy copy;
  const fs::path saxpy = copy.path("state/exercises/saxpy.cu");
  Stage stage(copy.options());
  stage.settle();
  ExerciseAttempt* attempt = stage.book().attempt("saxpy");
  REQUIRE(attempt);
  const std::string starter = attempt->source();
  CHECK(attempt->saved_in().empty());
  CHECK_FALSE(fs::exists(saxpy));

  stage.book().write_exercise("saxpy", starter + "// mine\n");
  REQUIRE(stage.until([&] { return read(saxpy) == starter + "// mine\n"; }));
  CHECK(attempt->saved_in() == saxpy.string());

  write(saxpy, starter + "// from another editor\n");
  REQUIRE(stage.until([&] { return attempt->source() == starter + "// from another editor\n"; }));
  std::ofstream(copy.path("state/exercises/progress.toml"))
      << "[saxpy]\npoints = 10\npossible = 10\npassed = \"2026-11-24T15:00:00Z\"\n";
  REQUIRE(stage.until([&] { return attempt->passed(); }));

  stage.book().reset_exercise("saxpy");
  REQUIRE(stage.until([&] { return read(saxpy) == starter; }));
  CHECK(read(copy.path("state/exercises/saxpy.before-1.cu")) ==
        starter + "// from another editor\n");
}

TEST_CASE(
    "a chapter runs at once with what the reader had set, never first with what it opens with",
    "[ci]") {
  const Copy copy;
  std::string noted;
  {
    Stage stage(copy.options());
    stage.settle();
    stage.book().set_value("n", lab::Value(std::int64_t{14}));
    noted = "// mine\n" + stage.book().source("add");
    stage.book().set_source("add", noted);
    stage.settle();
    stage.session().save_now();
  }
  Stage stage(copy.options());  // no frame yet
  CHECK(stage.book().inputs().values.integer("n") == 14);
  CHECK(stage.book().source("add") == noted);
}

TEST_CASE("what the reader chose of looks and motion is there on the next day", "[ci]") {
  const Copy copy;
  {
    Stage stage(copy.options());
    stage.settle();
    stage.book().set_theme("contrast");
    stage.book().set_reduced_motion(true);
    stage.settle();
    stage.session().save_now();
  }
  Stage stage(copy.options());
  CHECK(stage.book().theme() == "contrast");
  CHECK(stage.book().reduced_motion());
}

}  // namespace warpbook::gui::session_test
