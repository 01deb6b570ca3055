// A lecture without a window.
#include "gui/book/presentation.hpp"

#include <catch2/catch_test_macros.hpp>

#include "tests/gui/book/open_book.hpp"
#include "tests/gui/made_up.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::gui::presentation_test {
namespace {
/// The made-up chapter, being presented. Its screens: a question, an explanation, a change, a comparison.
struct Lecture {
  Lecture() { lecture.begin(open.book); }
  void go_on() {
    lecture.go_on(open.book);
    open.settle();
  }
  OpenBook open;
  Presentation lecture;
};

lab::DemoScreen prepared(const std::string& question, const std::string& step,
                         const std::string& n) {
  lab::DemoScreen screen;
  screen.question = question;
  screen.step = step;
  screen.set = {{"n", n}, {"block", "4"}};
  return screen;
}

lab::Demo demo_in(const tests::TemporaryFolder& folder) {
  lab::Demo demo{(folder.path() / "demo.toml").string(), "made-up", 1, {}};
  demo.screens = {prepared("", "change", "8"), prepared("threads", "", "10")};
  demo.screens[0].minutes = 3;
  return demo;
}
}  // namespace

TEST_CASE("a lecture asks all questions anew, and gives the reader's answers back") {
  OpenBook open;
  open.book.answer("threads", "12");
  open.set_n(7);
  Presentation lecture;
  lecture.begin(open.book);
  CHECK(lecture.on());
  CHECK_FALSE(open.book.answered("threads"));
  open.set_n(20);
  lecture.end(open.book);
  CHECK_FALSE(lecture.on());
  CHECK(open.book.answers().at("threads") == "12");
  CHECK(open.book.inputs().values.integer("n") == 7);
}

TEST_CASE("a clicker alone holds the lecture: answer, then screen after screen, to the last one") {
  Lecture at;
  CHECK(at.lecture.screens().size() == 4);
  CHECK(at.open.book.veil("wires") != nullptr);
  at.go_on();
  CHECK(at.lecture.at() == 0);
  CHECK(at.open.book.answered("threads"));
  CHECK(at.open.book.veil("wires") == nullptr);
  for (const std::size_t screen : {1, 2, 3, 3}) {
    at.go_on();
    CHECK(at.lecture.at() == screen);
  }
  at.lecture.go_back(at.open.book);
  CHECK(at.lecture.at() == 2);
}

TEST_CASE("an answer can be covered again") {
  Lecture at;
  at.lecture.toggle_answer(at.open.book);
  CHECK(at.open.book.answered("threads"));
  at.lecture.toggle_answer(at.open.book);
  CHECK_FALSE(at.open.book.answered("threads"));
}

TEST_CASE("a lecture begins at the screen that shows what was being read") {
  OpenBook open;
  Presentation lecture;
  const std::size_t last = open.book.document().nodes.size() - 1;
  lecture.begin(open.book, last);
  CHECK(lecture.at() == 3);
}

TEST_CASE("whatever covers the screen goes before anything else moves") {
  Lecture at;
  at.lecture.toggle_blank();
  at.go_on();
  CHECK_FALSE(at.lecture.blank());
  CHECK_FALSE(at.open.book.answered("threads"));
  at.lecture.toggle_blank();
  at.lecture.go_back(at.open.book);
  CHECK_FALSE(at.lecture.blank());
  at.go_on();
  at.lecture.enlarge("out");
  at.go_on();
  CHECK(at.lecture.enlarged().empty());
  CHECK(at.lecture.at() == 0);
}

TEST_CASE("exhibits that an open question covers cannot fill the screen") {
  Lecture at;
  const auto known = exhibits_to_enlarge(at.open.book);
  CHECK(std::ranges::find(known, "wires") == known.end());
  CHECK(std::ranges::find(known, "out") != known.end());
  at.lecture.enlarge_next(at.open.book, 1);
  CHECK(at.lecture.enlarged() == known.front());
  at.lecture.enlarge_next(at.open.book, -1);
  CHECK(at.lecture.enlarged() == known.back());
  at.lecture.enlarge_next(at.open.book, 1);
  CHECK(at.lecture.enlarged() == known.front());
}

TEST_CASE(
    "what a lecture's screen asks stays covered in any run that gives the same answer, and only "
    "there") {
  Lecture at;  // asks how many threads 10 elements in blocks of 4 need: 12
  at.open.set_n(12);
  CHECK(at.open.book.veil("wires") != nullptr);
  CHECK(at.open.book.veil("=threads") != nullptr);
  CHECK(at.open.book.veil("out") == nullptr);
  at.open.set_n(8);
  CHECK(at.open.book.veil("wires") == nullptr);
  at.open.set_n(12);
  at.lecture.toggle_answer(at.open.book);
  at.open.set_n(12);
  CHECK(at.open.book.veil("wires") == nullptr);
  at.lecture.toggle_answer(at.open.book);
  at.open.set_n(12);
  CHECK(at.open.book.veil("wires") != nullptr);
  at.lecture.end(at.open.book);
  at.open.set_n(12);
  CHECK(at.open.book.veil("wires") == nullptr);
}

TEST_CASE("a prepared screen's parameters uncover nothing that its own open question asks",
          "[ci]") {
  OpenBook open("coalescing");
  const tests::TemporaryFolder folder;
  lab::Demo demo{(folder.path() / "demo.toml").string(), "coalescing", 1, {}};
  lab::DemoScreen asked;
  asked.question = "l1-remembers";
  asked.set = {{"items", "24"}, {"n", "262144"}};  // the question's numbers, and another walk
  lab::DemoScreen usual;
  usual.question = "l1-remembers";
  demo.screens = {asked, usual};
  Presentation lecture;
  lecture.begin(open.book, demo);
  for (const std::size_t screen : {0, 1}) {
    CAPTURE(screen);
    lecture.go_to(open.book, screen);
    open.settle();
    const lab::PredictDirective* cover = open.book.veil("below");
    REQUIRE(cover);
    CHECK(cover->id == "l1-remembers");
  }
}

TEST_CASE("the votes are taken twice, and closed; without hands there is no second vote") {
  Lecture at;
  at.lecture.toggle_vote(at.open.book);
  CHECK(at.lecture.voting());
  at.lecture.toggle_vote(at.open.book);
  CHECK_FALSE(at.lecture.voting());
  at.lecture.toggle_vote(at.open.book);
  at.lecture.select_choice(1);
  at.lecture.type_count(9);
  at.lecture.toggle_vote(at.open.book);
  CHECK(at.lecture.voting());
  CHECK(at.lecture.poll()->vote() == Vote::second);
  CHECK_FALSE(at.lecture.counts_shown(at.open.book));
  at.lecture.toggle_vote(at.open.book);
  CHECK_FALSE(at.lecture.voting());
  CHECK(at.lecture.poll()->hands(Vote::first, 1) == 9);
  REQUIRE(at.lecture.votes(at.open.book).size() == 3);
  CHECK(at.lecture.votes(at.open.book)[1].right == "yes");
}

TEST_CASE("the answer's run takes the votes' place, and a screen without a question takes none") {
  Lecture at;
  at.lecture.toggle_vote(at.open.book);
  at.lecture.toggle_answer(at.open.book);
  CHECK_FALSE(at.lecture.voting());
  CHECK(at.lecture.counts_shown(at.open.book));
  at.go_on();
  CHECK(at.lecture.at() == 1);
  at.lecture.toggle_vote(at.open.book);
  CHECK_FALSE(at.lecture.voting());
  CHECK(at.lecture.poll() == nullptr);
}

TEST_CASE("a countdown runs out, and is prolonged by each further press") {
  Presentation lecture;
  CHECK_FALSE(lecture.countdown(100).has_value());
  OpenBook open;
  lecture.begin(open.book);
  lecture.count_down(100);
  CHECK(lecture.countdown(130) == Presentation::kFirstCountdown - 30);
  lecture.count_down(130);
  CHECK(lecture.countdown(130) ==
        Presentation::kFirstCountdown - 30 + Presentation::kMoreCountdown);
  CHECK(lecture.countdown(1000) == 0);
  lecture.count_down(1000);
  CHECK(lecture.countdown(1000) == Presentation::kFirstCountdown);
  lecture.stop_countdown();
  CHECK_FALSE(lecture.countdown(1000).has_value());
}

TEST_CASE("a lecture ends where another chapter is opened") {
  Lecture at;
  REQUIRE(at.open.book.open("first-kernel"));
  at.lecture.follow(at.open.book);
  CHECK_FALSE(at.lecture.on());
  CHECK(at.open.book.lesson()->slug == "first-kernel");
}

TEST_CASE("a prepared lecture shows its own screens, with its own parameters and countdown") {
  const tests::TemporaryFolder folder;
  OpenBook open;
  Presentation lecture;
  lecture.begin(open.book, demo_in(folder));
  CHECK(lecture.screens().size() == 2);
  CHECK(lecture.screen().step == "change");
  CHECK(open.book.inputs().values.integer("n") == 8);
  lecture.count_down(100);
  CHECK(lecture.countdown(100) == 180);
  lecture.go_on(open.book);
  CHECK(lecture.screen().question == "threads");
  CHECK(open.book.inputs().values.integer("n") == 10);
}

TEST_CASE("a prepared screen reveals what it is to reveal, and still shows its own parameters") {
  const tests::TemporaryFolder folder;
  lab::Demo demo = demo_in(folder);
  demo.screens[0].reveal = {"threads"};
  OpenBook open;
  Presentation lecture;
  lecture.begin(open.book, demo);
  CHECK(open.book.answered("threads"));
  CHECK(open.book.inputs().values.integer("n") == 8);
}

TEST_CASE(
    "a live run that fails falls back to the one that was kept, which is marked as recorded") {
  const tests::TemporaryFolder folder;
  const lab::Demo demo = demo_in(folder);
  OpenBook open;
  open.set_n(8);
  auto kept = std::make_shared<lab::Report>(*open.book.report());
  kept->when = "2026-11-20T08:00:00Z";
  REQUIRE(lab::keep_demo_runs(demo, 0, {kept, nullptr}).has_value());

  Presentation lecture;
  lecture.begin(open.book, demo);
  lecture.follow(open.book);
  open.settle();
  lecture.follow(open.book);
  CHECK_FALSE(lecture.recorded().has_value());  // the live run is there

  auto failed = std::make_shared<lab::Report>(*kept);
  failed->exhibits.clear();
  failed->errors = {device::failure(device::ErrorCode::cancelled, {}).value()};
  open.book.adopt(failed);
  lecture.follow(open.book);
  REQUIRE(lecture.recorded().has_value());
  CHECK(lecture.recorded()->when == "2026-11-20T08:00:00Z");
  REQUIRE(lecture.recorded()->error.has_value());
  CHECK(lecture.recorded()->error->code == device::ErrorCode::cancelled);
  CHECK(open.book.report()->find("wires") != nullptr);
  lecture.follow(open.book);
  CHECK(lecture.recorded()->error.has_value());
}

TEST_CASE(
    "a question whose own run is not there is decided by the one on screen, if it is of the same "
    "inputs") {
  OpenBook open;
  auto asked = std::get<lab::PredictDirective>(open.book.document().nodes[2]);
  CHECK(open.book.deciding_report(asked) == open.book.side_report(case_of(asked)));
  asked.source = "mine.cu";  // which no run beside the live one has
  asked.source_text = open.book.source("add") + "// mine\n";
  CHECK(open.book.deciding_report(asked) == nullptr);
  open.book.set_source("add", asked.source_text);
  open.settle();
  CHECK(open.book.deciding_report(asked) == open.book.report());
  CHECK(open.book.right_value(asked) == "12");
}

TEST_CASE("what was kept is on the screen until the live run is") {
  const tests::TemporaryFolder folder;
  const lab::Demo demo = demo_in(folder);
  OpenBook open;
  open.set_n(8);
  REQUIRE(lab::keep_demo_runs(demo, 0, {open.book.report(), nullptr}).has_value());
  open.set_n(20);
  open.book.set_live(false);  // so that the live run does not come
  Presentation lecture;
  lecture.begin(open.book, demo);
  CHECK(open.book.stale());
  lecture.follow(open.book);
  CHECK_FALSE(open.book.stale());
  REQUIRE(lecture.recorded().has_value());
  CHECK_FALSE(lecture.recorded()->error.has_value());
  open.book.set_value("n", lab::Value(std::int64_t{9}));  // the lecturer tries something else
  lecture.follow(open.book);
  CHECK_FALSE(lecture.recorded().has_value());
}

}  // namespace warpbook::gui::presentation_test
