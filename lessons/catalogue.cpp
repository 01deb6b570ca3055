#include "lessons/catalogue.hpp"

#include <algorithm>
#include <array>

namespace warpbook::lessons {

lab::Lesson first_kernel();
lab::Lesson your_machine();
lab::Lesson two_memories_chapter();
lab::Lesson grids();
lab::Lesson failures_chapter();
lab::Lesson warps();
lab::Lesson memory_spaces();
lab::Lesson coalescing();
lab::Lesson tiles_chapter();
lab::Lesson races();
lab::Lesson reduction_chapter();
lab::Lesson matmul_chapter();
lab::Lesson profiling_chapter();
lab::Lesson streams_chapter();
lab::Lesson convolution_chapter();
lab::Lesson activations_chapter();
lab::Lesson autograd_chapter();
lab::Lesson mlp_chapter();
lab::Lesson cnn_chapter();
lab::Lesson parallelism_chapter();
lab::Lesson convolution_algorithms_chapter();
lab::Lesson capstone_chapter();
lab::Lesson scratch_page();

std::span<const lab::Lesson> catalogue() {
  static const std::array lessons{
      first_kernel(),
      your_machine(),
      two_memories_chapter(),
      grids(),
      failures_chapter(),
      warps(),
      memory_spaces(),
      coalescing(),
      tiles_chapter(),
      races(),
      reduction_chapter(),
      matmul_chapter(),
      profiling_chapter(),
      streams_chapter(),
      convolution_chapter(),
      activations_chapter(),
      autograd_chapter(),
      mlp_chapter(),
      cnn_chapter(),
      parallelism_chapter(),
      convolution_algorithms_chapter(),
      capstone_chapter(),
  };
  return lessons;
}

const lab::Lesson& scratch() {
  static const lab::Lesson page = scratch_page();
  return page;
}

const lab::Lesson* find(std::string_view slug) {
  if (slug == scratch().slug) return &scratch();
  const auto all = catalogue();
  const auto found = std::ranges::find(all, slug, &lab::Lesson::slug);
  return found == all.end() ? nullptr : &*found;
}

}  // namespace warpbook::lessons
