#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "lab/grading/placing.hpp"
#include "tests/keyed.hpp"

namespace warpbook::lab::placing_test {

using tests::keyed;

namespace {

ExerciseText exercise(const std::string& id, const std::string& kernel) {
  ExerciseText text;
  text.id = id;
  text.starter = "__global__ void __launch_bounds__(256)\n" + kernel + "(float* y) {}\n";
  return text;
}

HandedIn file(const std::string& name, const std::string& text = "", std::uint64_t number = 0) {
  return {"1", name, "1/" + name, text, {}, number, false, {}};
}

std::string exercise_of(const HandedIn& handed, const std::vector<ExerciseText>& exercises) {
  Download download;
  download.files = {handed};
  const Placing placing = place(download, exercises);
  return placing.placed.empty() ? keyed(placing.unplaced.at(0).why)
                                : placing.placed.begin()->first.second;
}

const std::vector<ExerciseText> kTwo{exercise("saxpy", "saxpy"), exercise("warp-sum", "sum_warps")};

}  // namespace

TEST_CASE("Placing: by the name, however it is written") {
  const std::string name =
      GENERATE("saxpy.cu", "Saxpy-2.cu", "saxpy (3).cu", "my_saxpy_final.cu", "SAXPY.CU.cu");
  CAPTURE(name);
  CHECK(exercise_of(file(name), kTwo) == "saxpy");
  CHECK(exercise_of(file("warp_sum-1.cu"), kTwo) == "warp-sum");
}

TEST_CASE(
    "Placing: by the kernel where the name says nothing, and not by one that two exercises have") {
  CHECK(exercise_of(file("main.cu", "__global__ void sum_warps(int) {}"), kTwo) == "warp-sum");
  CHECK(exercise_of(file("main.cu", "// __global__ void sum_warps(int)"), kTwo) ==
        "phrase.handed.no-exercise");
  const std::vector<ExerciseText> same{exercise("a", "k"), exercise("b", "k")};
  CHECK(exercise_of(file("main.cu", "__global__ void k() {}"), same) ==
        "phrase.handed.no-exercise");
}

TEST_CASE("Placing: where only one exercise was set, any source is for it") {
  CHECK(exercise_of(file("homework.cu"), {kTwo[1]}) == "warp-sum");
  CHECK(exercise_of(file("notes.pdf"), {kTwo[1]}) == "phrase.handed.no-source");
  CHECK(exercise_of(file("saxpy.txt"), {kTwo[1]}) == "phrase.handed.no-source");
}

TEST_CASE("Placing: a text with a kernel in it is a source, and counts where there is no other") {
  const HandedIn text = file("homework.txt", "__global__ void sum_warps(int) {}", 9);
  CHECK(exercise_of(text, kTwo) == "warp-sum");
  Download download;
  download.files = {text, file("warp-sum.cu", "", 3)};
  CHECK(place(download, kTwo).placed.at({"1", "warp-sum"}).counts.name == "warp-sum.cu");
}

TEST_CASE("Placing: of several attempts the last counts, and the others stay named") {
  Download download;
  download.files = {file("saxpy-10.cu", "tenth"), file("saxpy.cu", "first"),
                    file("saxpy-2.cu", "second")};
  const Placed placed = place(download, kTwo).placed.at({"1", "saxpy"});
  CHECK(placed.counts.text == "tenth");
  CHECK(placed.earlier == std::vector<std::string>{"1/saxpy.cu", "1/saxpy-2.cu"});
}

TEST_CASE("Placing: the system's own number and time come before the number in a name") {
  Download download;
  download.files = {file("saxpy-9.cu", "old", 5), file("saxpy.cu", "new", 6)};
  CHECK(place(download, kTwo).placed.at({"1", "saxpy"}).counts.text == "new");
  download.files[0].when = 100;
  download.files[1].when = 50;
  CHECK(place(download, kTwo).placed.at({"1", "saxpy"}).counts.text == "old");
}

}  // namespace warpbook::lab::placing_test
