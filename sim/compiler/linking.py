"""Compiles kernels as pieces of code, and links the pieces once for each function that Python calls.

numba gives every function wrappers for Python and C, optimises it and makes it executable. Then it links the function's
code into every caller, where the code is optimised again. But Python calls only a few of several hundred kernels. So a
kernel has two forms:

- Other kernels call its *piece*, which is typed and lowered to LLVM IR, and nothing more.
- Python calls its *entry*, which only calls the piece. The library of an entry links every piece that the entry can
  reach. It hides the pieces, so that LLVM may inline or drop them. Then the whole library is optimised and made
  executable.

The scoring functions of strategies, which kernels call by address, are entries too. So is a *shared* kernel, such as
the step of a game, which holds nearly all code of the game. Other entries call the machine code of a shared kernel by a
symbol, so that it is compiled only once.

This depends on numba's internals in one version (`sim.compiler.cache.LINKING_KNOWS`). With any other version plain
`numba.njit` compiles the kernels (`sim.compiler.kernel`). Then compiling and playing are slower, but the games are the
same.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import hashlib
import importlib
import inspect
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numba
from llvmlite import binding as llvm
from numba import types
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.environment import lookup_environment
from numba.core.imputils import lower_builtin
from numba.core.registry import CPUDispatcher
from numba.core.typed_passes import NativeLowering
from numba.np import arrayobj

from sim.compiler.source_digest import loops_stay

numba_settings: Any = numba.config
"""numba's settings, whose names type checkers do not see."""

POINTER = RuntimeLinker.PREFIX
"""Prefix of the names of the pointers by which numba makes recursive calls."""

Widen = Callable[[Any], Any]
"""Function from the type of an argument to the type that the kernel is compiled for."""
Digest = Callable[[Callable[..., Any]], str]
"""Function that returns the digest of another function's code."""


class _Library(JITCodeLibrary):
    """A library that links each added piece and all pieces that this piece links, every piece only once."""

    def add_linking_library(self, library: Any) -> None:
        library._ensure_finalized()
        below = library._linking_libraries if isinstance(library, _PieceLibrary) else ()
        known = set(self._linking_libraries)
        self._linking_libraries.extend(each for each in (library, *below) if each not in known)


class _PieceLibrary(_Library):
    """The code of one kernel alone. The libraries of entries link it."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True
        for function in self.get_defined_functions():
            _pieces[POINTER + function.name] = self

    def recursive_calls(self) -> list[str]:
        """Names of the pointers through which the kernel calls itself or its own callers."""
        names = (variable.name for variable in self._final_module.global_variables)
        return [name for name in names if name.startswith(POINTER)]


_pieces: dict[str, _PieceLibrary] = {}
"""The pieces, by the names of their pointers for recursive calls."""


class _EntryLibrary(_Library):
    """All code that one entry can reach."""

    loops_stay = False

    def finalize(self) -> None:
        self._raise_if_finalized()
        module = self._final_module
        own = {function.name for function in self.get_defined_functions()}
        self._define_pointers()
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
            if any(library.get_defined_functions()):
                module.link_in(library._get_module_for_linking(), preserve=True)
        for value in (*self.get_defined_functions(), *module.global_variables):
            if value.name.startswith(POINTER) or (value.is_function and value.name not in own):
                value.linkage = "internal"
        self._optimize_final_module()
        module.verify()
        self._finalize_final_module()
        self._set_environments()

    def _define_pointers(self) -> None:
        """Define the pointers of recursive calls, and link the pieces that they point to.

        In a recursion a caller is compiled before the piece that it calls, so this piece may be missing from the
        libraries.
        """
        module = self._final_module
        pointers: dict[str, None] = {}
        for library in self._linking_libraries:
            if isinstance(library, _PieceLibrary):
                for pointer in library.recursive_calls():
                    pointers[pointer] = None
                    self.add_linking_library(_pieces[pointer])
        lines = [f'target triple = "{module.triple}"', f'target datalayout = "{module.data_layout}"']
        for pointer in pointers:
            function = pointer.removeprefix(POINTER)
            lines += [f'declare i32 @"{function}"()', f'@"{pointer}" = constant ptr @"{function}"']
        module.link_in(llvm.parse_assembly("\n".join(lines)))

    def _optimize_final_module(self) -> None:
        # Unlike numba, do not run its cheap first pass: it prunes reference counts, and kernels have none.
        if self.loops_stay:
            builder = llvm.create_pass_builder(self._codegen._tm, _without_loop_transforms())
            manager = builder.getModulePassManager()
        else:
            manager, builder = self._codegen._module_pass_manager()
        manager.run(self._final_module, builder)

    def _set_environments(self) -> None:
        """In the machine code of each piece, set the address of the environment that numba keeps for its function."""
        codegen: Any = self._codegen
        for variable in self._final_module.global_variables:
            if variable.name.startswith("_ZN08NumbaEnv"):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    codegen.set_env(variable.name, environment)


def _without_loop_transforms() -> llvm.PipelineTuningOptions:
    """Return numba's optimisation options without unrolling, interleaving and vectorisation of loops."""
    tuning = llvm.create_pipeline_tuning_options(int(numba_settings.OPT))
    tuning.loop_vectorization = tuning.slp_vectorization = tuning.loop_unrolling = tuning.loop_interleaving = False
    return tuning


@lower_builtin(operator.contains, types.UniTuple, types.Integer)
def _is_one_of(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Lower `number in (a, b, c)` to comparisons without branches; numba itself lowers it to a loop."""
    kinds, kind = signature.args
    called = context.typing_context.resolve_function_type(operator.eq, (kinds.dtype, kind), {})
    same = context.get_function(operator.eq, called)
    number = context.cast(builder, arguments[1], kind, called.args[1])
    found = context.get_constant(types.boolean, False)
    for each in cgutils.unpack_tuple(builder, arguments[0]):
        found = builder.or_(found, same(builder, (context.cast(builder, each, kinds.dtype, called.args[0]), number)))
    return found


class _Piece:
    """Stands in for the executable function that numba expects; a piece has none."""


@contextlib.contextmanager
def no_index_wraparound() -> Iterator[None]:
    """Lower array indices without numba's test for negative indices, which count from the end.

    The kernels of the project use no negative indices. If bounds are checked, a negative index is an IndexError.
    """

    def kept(context: Any, builder: Any, kind: Any, index: Any, _: Any) -> Any:
        return context.cast(builder, index, kind, types.intp if kind.signed else types.uintp)

    usual = arrayobj.fix_integer_index
    arrayobj.fix_integer_index = kept
    try:
        yield
    finally:
        arrayobj.fix_integer_index = usual


@register_pass(mutates_CFG=True, analysis_only=False)
class _PieceLowering(NativeLowering):
    """Lowers a kernel to a piece and registers it for its callers."""

    _name = "empirelab_piece_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _new_library(_PieceLibrary, state)
        with contextlib.nullcontext() if state.flags.nrt else no_index_wraparound():
            super().run_pass(state)
        state.library.finalize()
        piece = _Piece()
        state.targetctx.insert_user_function(piece, state.cr.fndesc, [state.library])
        state.reload_init.extend(state.library._reload_init)
        state["cr"] = state.cr._replace(cfunc=piece)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _EntryLowering(NativeLowering):
    """Lowers an entry and links all that it can reach."""

    _name = "empirelab_entry_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _new_library(_EntryLibrary, state)
        state.library.loops_stay = loops_stay(state.func_id.func.__module__)
        done = bool(super().run_pass(state))
        # numba records what to reload with a function's code only when it makes the function executable. That is too
        # late for a function that kernels call by its address.
        needed = {each for library in state.library._linking_libraries for each in library._reload_init}
        state.reload_init.extend(needed.difference(state.reload_init))
        return done


def _new_library(kind: type[_Library], state: Any) -> _Library:
    """Return an empty library whose machine code can be cached."""
    library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
    library.enable_object_caching()
    return library


class _Pipeline(CompilerBase):
    """numba's pipeline with the class `lowering` in place of numba's own lowering."""

    lowering: type[NativeLowering]

    def define_pipelines(self) -> list[PassManager]:
        usual = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes = PassManager(usual.pipeline_name)
        passes.passes = [(self.lowering if each is NativeLowering else each, text) for each, text in usual.passes]
        passes.finalize()
        return [passes]


class _PiecePipeline(_Pipeline):
    """Compiles functions that kernels call."""

    lowering = _PieceLowering


class EntryPipeline(_Pipeline):
    """Compiles functions that Python calls, or that are called by address."""

    lowering = _EntryLowering


class _Flags(Flags):
    """numba's flags with a fast comparison, because numba looks flags up at every call of an operator."""

    def __hash__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Flags) and self._values == other._values)


class _PieceCompiler(_FunctionCompiler):
    def _customize_flags(self, flags: Any) -> Any:
        flags = _Flags(flags)
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return flags


def calling(function: Callable[..., Any], piece: Any) -> Callable[..., Any]:
    """Return a function that only calls `piece`. It has the name of `function`, from which the piece is compiled."""
    names = ", ".join(inspect.signature(function).parameters)
    space: dict[str, Any] = {"_piece": piece, "__name__": function.__module__}
    exec(f"def {function.__name__}({names}):\n    return _piece({names})\n", space)
    called: Callable[..., Any] = space[function.__name__]
    called.__qualname__ = function.__qualname__
    return called


class _EntryCompiler(_FunctionCompiler):
    """Compiles an entry instead of the kernel's own function. The entry only calls the piece (`calling`)."""

    def __init__(self, function: Callable[..., Any], piece: PieceDispatcher, options: dict[str, Any]) -> None:
        super().__init__(function, CPUDispatcher.targetdescr, options, {}, EntryPipeline)
        self._entry = calling(function, piece)

    def _get_implementation(self, args: Any, kws: Any) -> Callable[..., Any]:
        return self._entry

    def _customize_flags(self, flags: Any) -> Any:
        flags = _Flags(flags)
        flags.no_cfunc_wrapper = True
        return flags


class PieceDispatcher(CPUDispatcher):
    """A kernel as other kernels see it."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], widen: Widen) -> None:
        super().__init__(function, targetoptions=options)
        self._compiler = _PieceCompiler(function, self.targetdescr, options, {}, _PiecePipeline)
        self._widen = widen

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Compile the piece for a call and return its signature."""
        return super().get_call_template(tuple(self._widen(kind) for kind in args), kws)

    def add_overload(self, compiled: Any) -> None:
        """Register a compiled piece, which has no executable function."""
        self.overloads[tuple(compiled.signature.args)] = compiled


class EntryDispatcher(CPUDispatcher):
    """A kernel as Python sees it; other kernels call its piece."""

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], widen: Widen) -> None:
        super().__init__(function, targetoptions=options)
        self._piece = PieceDispatcher(function, options, widen)
        self._compiler = _EntryCompiler(function, self._piece, options)

    @property
    def _numba_type_(self) -> Any:
        return numba.types.Dispatcher(self._piece)


class SharedDispatcher(EntryDispatcher):
    """An entry whose machine code other kernels call, too."""

    is_shared = True

    def __init__(self, function: Callable[..., Any], options: dict[str, Any], widen: Widen, digest: Digest) -> None:
        super().__init__(function, options, widen)
        self._digest = digest
        self._called = _SharedCalls(self, options, widen)

    @property
    def _numba_type_(self) -> Any:
        return numba.types.Dispatcher(self._called)

    def register(self, kinds: tuple[Any, ...]) -> str:
        """Compile machine code for arguments of these types; return the symbol by which the linker finds it."""
        self.compile(kinds)
        made: Any = self.overloads[kinds]
        name = f"empirelab.{self.py_func.__qualname__}.{self._digest(self.py_func)}.{_digest_of(kinds)}"
        llvm.add_symbol(name, made.library.get_pointer_to_function(made.fndesc.mangled_name))
        return name


class _SharedCalls(PieceDispatcher):
    """A shared kernel as other kernels see it: a symbol to be linked."""

    def __init__(self, entry: SharedDispatcher, options: dict[str, Any], widen: Widen) -> None:
        super().__init__(entry.py_func, options, widen)
        self._entry = entry

    def compile(self, sig: Any) -> Any:
        """Make the entry callable from kernels with arguments of these types."""
        kinds = tuple(sig)
        if kinds not in self.overloads:
            self._name(kinds)
        return self.get_overload(kinds)

    def _name(self, kinds: tuple[Any, ...]) -> None:
        """Give kernels a symbol for the entry's machine code instead of a piece."""
        name = self._entry.register(kinds)
        made: Any = self._entry.overloads[kinds]
        called = copy.copy(made.fndesc)
        called.mangled_name = name
        function = self._entry.py_func
        context: Any = self.targetctx
        library = _PieceLibrary(context.codegen(), function.__qualname__)
        library.finalize()
        # When a caller's code is read from the cache in another process, the symbol is registered again.
        library._reload_init.add(functools.partial(_register_again, function.__module__, function.__qualname__, kinds))
        piece = _Piece()
        context.insert_user_function(piece, called, [library])
        self.overloads[kinds] = made._replace(entry_point=piece)


def _register_again(module: str, name: str, kinds: tuple[Any, ...]) -> None:
    """Register the machine code of a shared kernel again; numba calls this when it loads a cached caller."""
    getattr(importlib.import_module(module), name).register(kinds)


def _digest_of(kinds: tuple[Any, ...]) -> str:
    """Return a digest of the types of arguments, for use in a symbol."""
    return hashlib.sha256(repr(kinds).encode()).hexdigest()[:16]
