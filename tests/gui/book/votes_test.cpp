// A show of hands, and the file in which its counts are kept.
#include "gui/book/votes.hpp"

#include <catch2/catch_test_macros.hpp>

#include "device/platform.hpp"
#include "tests/keyed.hpp"
#include "tests/temporary_folder.hpp"

namespace warpbook::gui::votes_test {
namespace {
/// Counts hands as a lecturer types them.
void count(Poll& poll, std::size_t choice, std::initializer_list<int> digits) {
  poll.select(choice);
  for (const int digit : digits) poll.type(digit);
}

lab::PredictDirective question() {
  lab::PredictDirective asked;
  asked.id = "threads";
  asked.choices.resize(3);
  asked.choices[0].value = "10";
  asked.choices[1].value = "12";
  asked.choices[2].value = "=cmd()";
  return asked;
}

Poll voted() {
  Poll poll(3);
  count(poll, 0, {4, 2});
  count(poll, 1, {8});
  poll.take(Vote::second);
  count(poll, 1, {5, 0});
  return poll;
}
}  // namespace

TEST_CASE("hands are counted digit by digit, and each vote by itself") {
  const Poll poll = voted();
  CHECK(poll.hands(Vote::first, 0) == 42);
  CHECK(poll.hands(Vote::first, 1) == 8);
  CHECK(poll.total(Vote::first) == 50);
  CHECK(poll.share(Vote::first, 0) == 0.84);
  CHECK(poll.hands(Vote::second, 0) == 0);
  CHECK(poll.hands(Vote::second, 1) == 50);
}

TEST_CASE("a choice that is counted again begins anew, and a digit can be taken back") {
  Poll poll(2);
  count(poll, 0, {4, 2});
  count(poll, 0, {7});
  CHECK(poll.hands(Vote::first, 0) == 7);
  poll.type(1);
  poll.erase();
  CHECK(poll.hands(Vote::first, 0) == 7);
  poll.select(0);
  poll.erase();
  CHECK(poll.hands(Vote::first, 0) == 0);
}

TEST_CASE("what no class can have is not counted") {
  Poll poll(2);
  poll.type(3);
  CHECK(poll.total(Vote::first) == 0);
  poll.select(5);
  CHECK_FALSE(poll.selected().has_value());
  count(poll, 1, {9, 9, 9, 9, 9});
  CHECK(poll.hands(Vote::first, 1) == Poll::kMostHands);
  CHECK(Poll(2).share(Vote::first, 0) == 0);
}

TEST_CASE("votes.csv has a row for each choice of each vote that was taken, and no one's name") {
  const tests::TemporaryFolder folder;
  const auto file = folder.path() / "votes.csv";
  const auto rows = vote_rows(voted(), question(), "2026-11-26T10:15:00Z", "made-up", "12");
  REQUIRE(rows.size() == 6);
  REQUIRE(keep_votes(file, rows).has_value());
  CHECK(device::read_file(file) ==
        "lecture,chapter,question,vote,choice,value,right,hands\n"
        "2026-11-26T10:15:00Z,made-up,threads,1,A,10,no,42\n"
        "2026-11-26T10:15:00Z,made-up,threads,1,B,12,yes,8\n"
        "2026-11-26T10:15:00Z,made-up,threads,1,C,'=cmd(),no,0\n"
        "2026-11-26T10:15:00Z,made-up,threads,2,A,10,no,0\n"
        "2026-11-26T10:15:00Z,made-up,threads,2,B,12,yes,50\n"
        "2026-11-26T10:15:00Z,made-up,threads,2,C,'=cmd(),no,0\n");
}

TEST_CASE("votes that are kept again replace themselves, and stay beside those of other lectures") {
  const tests::TemporaryFolder folder;
  const auto file = folder.path() / "votes.csv";
  const auto rows_of = [](const Poll& poll, const std::string& lecture) {
    return vote_rows(poll, question(), lecture, "made-up", "12");
  };
  REQUIRE(keep_votes(file, rows_of(voted(), "monday")).has_value());
  REQUIRE(keep_votes(file, rows_of(voted(), "tuesday")).has_value());
  const std::string once = *device::read_file(file);
  REQUIRE(keep_votes(file, rows_of(voted(), "tuesday")).has_value());
  CHECK(*device::read_file(file) == once);
  const auto before = earlier_votes(file, "made-up", "threads", "tuesday");
  REQUIRE(before[0].has_value());
  CHECK(before[0]->hands == 50);
  CHECK(before[0]->right == 8);
  REQUIRE(before[1].has_value());
  CHECK(before[1]->right == 50);
  CHECK_FALSE(earlier_votes(file, "made-up", "other", "now")[0].has_value());
  CHECK_FALSE(earlier_votes(folder.path() / "none.csv", "made-up", "threads", "now")[0]);
}

TEST_CASE("a file that holds something else is not written over") {
  const tests::TemporaryFolder folder;
  const auto file = folder.write("grades.csv", "name,points\nAda,10\n");
  const auto kept =
      keep_votes(file, vote_rows(voted(), question(), "monday", "made-up", std::nullopt));
  REQUIRE_FALSE(kept.has_value());
  CHECK(tests::keyed(kept.error()) ==
        "file_unreadable(file=" + file.string() + ", why=phrase.why.no-votes)");
  CHECK(*device::read_file(file) == "name,points\nAda,10\n");
}

}  // namespace warpbook::gui::votes_test
