// What the book promises by itself: the GPU of its runs, and comparisons of runs.
#include "gui/book/book.hpp"

#include <algorithm>

#include <catch2/catch_test_macros.hpp>

#include "tests/gui/book/open_book.hpp"
#include "tests/gui/made_up.hpp"

namespace warpbook::gui::book_test {
namespace {
using Kind = CompareSide::Kind;

/// Whether the reader's comparison shows that run, as A or as B.
bool is_a(const Book& book, Kind kind, std::size_t kept = 0) {
  return book.comparing() && book.side(false) == CompareSide{kind, kept};
}
bool is_b(const Book& book, Kind kind, std::size_t kept = 0) {
  return book.comparing() && book.side(true) == CompareSide{kind, kept};
}
}  // namespace

TEST_CASE("choosing the default GPU by its name gives the same run as not choosing") {
  OpenBook open;
  const std::uint64_t before = open.book.report()->inputs_hash;
  open.book.set_gpu("t4");
  open.settle();
  CHECK(open.book.report()->inputs_hash != before);
  open.book.set_gpu("H200");
  open.settle();
  CHECK(open.book.report()->inputs_hash == before);
  open.book.set_gpu("no such GPU");
  CHECK(open.book.gpu().name == "H200");
}

TEST_CASE("a question is about the usual GPU, for which its text is written, whichever is chosen") {
  OpenBook open;
  const auto& nodes = open.book.document().nodes;
  const auto found = std::ranges::find_if(nodes, [](const lab::DocumentNode& node) {
    return std::holds_alternative<lab::PredictDirective>(node);
  });
  const auto& question = std::get<lab::PredictDirective>(*found);
  open.book.set_gpu("T4");
  open.settle();
  CHECK(open.book.report()->inputs.gpu == "T4");
  const auto decides = open.book.deciding_report(question);
  REQUIRE(decides);
  CHECK(decides->inputs.gpu == device::kDefaultGpu);
  CHECK(open.book.right_value(question) ==
        lab::computed_answer(question, *open.book.lesson(), *decides));
}

TEST_CASE("a directive's variants stay, marked stale, until they have run on the new GPU") {
  OpenBook open;
  const auto& nodes = open.book.document().nodes;
  const auto found = std::ranges::find_if(nodes, [](const lab::DocumentNode& node) {
    return std::holds_alternative<lab::CompareDirective>(node);
  });
  const auto node = static_cast<std::size_t>(found - nodes.begin());
  const auto before = open.book.comparison_of(node);
  CHECK_FALSE(before->stale_a);
  open.book.set_gpu("T4");
  const auto at_once = open.book.comparison_of(node);
  REQUIRE(at_once->a);
  CHECK(at_once->stale_a == (at_once->a == before->a));
  open.settle();
  const auto after = open.book.comparison_of(node);
  CHECK_FALSE(after->stale_a);
  CHECK_FALSE(after->stale_relation);
  CHECK(after->a->inputs.gpu == "T4");
}

TEST_CASE("a kept run that is forgotten leaves the side that showed it") {
  OpenBook open;
  for (const std::int64_t n : {4, 6, 8}) {
    open.set_n(n);
    open.book.keep_run();
    open.settle();
  }
  Book& book = open.book;
  book.choose_side(true, {Kind::kept, 0});
  REQUIRE(is_a(open.book, Kind::kept, 2));
  SECTION("another one: the runs shown stay") {
    book.forget_run(1);
    CHECK(is_a(open.book, Kind::kept, 1));
    CHECK(is_b(open.book, Kind::kept, 0));
    CHECK(book.own_comparison()->name_a == "n = 8");
  }
  SECTION("B: the live run takes its place") {
    book.forget_run(0);
    CHECK(is_a(open.book, Kind::kept, 1));
    CHECK(is_b(open.book, Kind::live));
    SECTION("and A: the one before it") {
      book.forget_run(1);
      CHECK(is_a(open.book, Kind::kept, 0));
      CHECK(book.own_comparison()->name_a == "n = 6");
      book.forget_run(0);
      CHECK_FALSE(book.comparing());
    }
  }
  SECTION("what the reader turns to is on a side") {
    book.turn_to_live_run();
    CHECK(is_b(open.book, Kind::live));
  }
}

TEST_CASE("a stale side makes the comparison stale, and a stale run is not kept") {
  OpenBook open;
  open.book.keep_run();
  open.settle();
  open.book.set_live(false);
  open.set_n(12);
  const auto compared = open.book.own_comparison();
  REQUIRE(compared);
  CHECK(compared->stale_b);
  CHECK(compared->stale_relation);
  CHECK_FALSE(compared->stale_a);  // a kept run never becomes stale
  open.book.keep_run();
  open.settle();
  CHECK(open.book.kept_runs().size() == 1);  // a stale run is not kept
  open.book.run_now();
  open.settle();
  CHECK_FALSE(open.book.own_comparison()->stale_relation);
}

TEST_CASE("a figure in the text is of the values that stand beside it, also of a run with findings",
          "[ci]") {
  OpenBook open("first-kernel");
  Book& book = open.book;
  CHECK(book.figure("counter") == "4");
  std::string unguarded = book.source("add");
  unguarded.replace(unguarded.find("i < n"), 5, "true");
  book.set_source("add", unguarded);
  open.set_n(10);  // 12 threads, and nothing stops the last two
  REQUIRE_FALSE(book.report()->errors.empty());
  CHECK(book.figure("counter") == "12");
  CHECK_FALSE(book.pictures_stale());
  // A source that does not compile yet keeps the figures of its values, but has none of others.
  book.set_source("add", "not CUDA");
  open.settle();
  REQUIRE(book.pictures_stale());
  CHECK(book.figure("counter") == "12");
  open.set_n(20);
  CHECK(book.figure("counter").empty());
  book.set_source("add", unguarded);
  open.settle();
  CHECK(book.figure("counter") == "20");
  // No run comes by itself.
  book.set_live(false);
  open.set_n(8);
  CHECK(book.figure("counter").empty());
  book.run_now();
  open.settle();
  CHECK(book.figure("counter") == "8");
}

TEST_CASE("what the reader wrote or set is kept when a question's run takes its place") {
  OpenBook open;
  Book& book = open.book;
  const std::string original = book.source("add");
  SECTION("a source") { book.set_source("add", "// MY OWN NOTES\n" + original); }
  SECTION("a value") { open.set_n(7); }
  open.settle();
  const lab::Inputs own = book.inputs();
  book.answer("threads", "12");
  CHECK(book.source("add") == original);
  CHECK(book.inputs().values.integer("n") == 10);
  REQUIRE(book.toasts().size() == 1);
  REQUIRE_FALSE(book.toasts()[0].action.empty());
  book.set_gpu("T4");
  book.toasts()[0].act(book);
  CHECK(book.inputs().sources == own.sources);
  CHECK(book.inputs().values == own.values);
  CHECK(book.gpu().name == "T4");
  CHECK_FALSE(book.has_own_version());
}

TEST_CASE(
    "what the page itself had set is not the reader's own, and buttons for values ask nothing") {
  OpenBook open;
  Book& book = open.book;
  book.choose_preset(book.lesson()->presets.front());
  book.answer("threads", "12");
  book.ask_again("threads");
  book.set_case({{{"n", "8"}, {"block", "8"}}, {}, {}});
  book.answer("threads", "12");
  CHECK_FALSE(book.has_own_version());
  CHECK(book.toasts().empty());
  book.set_value("n", lab::Value(std::int64_t{7}));
  book.set_source("add", "// MY OWN NOTES\n" + book.source("add"));
  book.set_case(
      {{{"n", "8"}, {"block", "8"}}, {}, {}});  // the source stays, and these values were asked for
  CHECK_FALSE(book.has_own_version());
  book.set_case({{}, "other.cu", "// another kernel\n"});
  CHECK(book.has_own_version());
  // The source that was kept is worth more than a value.
  book.reset_source("add");
  book.set_value("n", lab::Value(std::int64_t{9}));
  book.ask_again("threads");
  book.answer("threads", "12");
  book.restore_own_version();
  CHECK(book.source("add").starts_with("// MY OWN NOTES"));
}

TEST_CASE(
    "a question's source gives way to the original in a task or preset without one; what the "
    "reader wrote stays") {
  OpenBook open("first-kernel");
  Book& book = open.book;
  const std::string slot = book.lesson()->slots.front().name, original = book.source(slot);
  const lab::PredictDirective* question = nullptr;
  for (const lab::DocumentNode& node : book.document().nodes) {
    const auto* asked = std::get_if<lab::PredictDirective>(&node);
    if (asked && !asked->source.empty()) question = asked;
  }
  REQUIRE(question);
  const Case task{{{"n", "10"}}, {}, {}};
  CHECK(book.page_source(slot) == nullptr);
  book.answer(question->id, "");
  CHECK(book.source(slot) == question->source_text);
  REQUIRE(book.page_source(slot) != nullptr);
  CHECK(std::get_if<lab::PredictDirective>(book.page_source(slot)) == question);
  SECTION("a task") { book.set_case(task); }
  SECTION("another step, which leads back") {
    const auto node =
        static_cast<std::size_t>(book.page_source(slot) - book.document().nodes.data());
    std::size_t step = node;
    while (!std::holds_alternative<lab::StepDirective>(book.document().nodes[step])) --step;
    book.enter_step(step);
    CHECK(book.source(slot) == question->source_text);
    book.enter_step(0);
    CHECK(book.source(slot) == original);
    REQUIRE(book.toasts().size() == 1);
    const auto back = book.toasts()[0].act;
    back(book);
    CHECK(book.source(slot) == question->source_text);
    book.enter_step(0);
    CHECK(book.source(slot) == original);
    book.open(made_up::lesson(), made_up::document());  // the toast is still there
    const lab::Inputs other = book.inputs();
    back(book);
    CHECK(book.inputs() == other);
    return;
  }
  SECTION("a preset") { book.choose_preset(book.lesson()->presets.front()); }
  SECTION("the reader's own") {
    const std::string mine = question->source_text + "// mine\n";
    book.set_source(slot, mine);
    CHECK(book.page_source(slot) == nullptr);
    book.set_case(task);
    book.choose_preset(book.lesson()->presets.front());
    CHECK(book.source(slot) == mine);
    book.reset_source(slot);
  }
  CHECK(book.source(slot) == original);
  CHECK_FALSE(book.has_own_version());
}

}  // namespace warpbook::gui::book_test
